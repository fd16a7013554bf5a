//! The lengths of functions.

use std::fmt;

use crate::tokens::{group_len, tokens, without_tests};

/// A function with a body.
pub(crate) struct Function<'a> {
    pub(crate) name: &'a str,
    line: usize,
    /// The number of lines from `fn` to the closing brace.
    pub(crate) lines: usize,
}

impl fmt::Display for Function<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in line {}: {} lines", self.name, self.line, self.lines)
    }
}

/// The functions of a source, without tests.
pub(crate) fn of(source: &str) -> Vec<Function<'_>> {
    let tokens = without_tests(&tokens(source));
    let mut functions = Vec::new();
    for (place, pair) in tokens.windows(2).enumerate() {
        let [keyword, name] = pair else { continue };
        if keyword.text != "fn" || name.text == "(" {
            continue;
        }
        let mut at = place;
        while at < tokens.len() && !["{", ";"].contains(&tokens[at].text) {
            // The brackets of arguments and arrays may hold braces and semicolons.
            at += if ["(", "["].contains(&tokens[at].text) { group_len(&tokens[at..]) } else { 1 };
        }
        if at < tokens.len() && tokens[at].text == "{" {
            let end = tokens[at + group_len(&tokens[at..]) - 1].line;
            functions.push(Function {
                name: name.text,
                line: keyword.line,
                lines: end - keyword.line + 1,
            });
        }
    }
    functions
}
