//! Texts from a file or the command line as messages show them: short, on one line, and without
//! terminal control characters.

use std::path::Path;

/// The number of characters shown of a value or a name.
const LONGEST: usize = 40;

/// The number of names shown of a list.
const MOST: usize = 20;

/// A value, in quotes.
pub(crate) fn quoted(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// Names separated by commas, up to the limit.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut names = names.into_iter();
    let mut shown: Vec<String> = names.by_ref().take(MOST).map(plain).collect();
    match names.count() {
        0 => {}
        more => shown.push(format!("and {more} more")),
    }
    shown.join(", ")
}

/// The name of a file.
pub(crate) fn path(path: &Path) -> String {
    escaped(&path.display().to_string())
}

/// A number with its noun: `1 pair`, `2 pairs`, `2 queries`.
pub(crate) fn count(number: u64, what: &str) -> String {
    match (number, what.strip_suffix('y')) {
        (1, _) => format!("{number} {what}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        (_, None) => format!("{number} {what}s"),
    }
}

/// A name, without quotes.
fn plain(name: &str) -> String {
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => escaped(&name[..end]) + "...",
        None => escaped(name),
    }
}

/// Escapes characters that cannot be printed, and nothing else: quotes and backslashes stay.
fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' | '\'' | '\\' => shown.push(character),
            other => shown.extend(other.escape_debug()),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(quoted(b"a\tb"), r#""a\tb""#);
        assert_eq!(quoted(&[b'x'; 41]), format!("\"{}\"...", "x".repeat(40)));
        assert_eq!(listed(["a", "b\n"]), r"a, b\n");
        assert_eq!(listed(vec!["a"; 22]), "a, ".repeat(20) + "and 2 more");
        assert_eq!(listed([&*"y".repeat(41)]), "y".repeat(40) + "...");
    }

    #[test]
    fn paths_keep_their_separators() {
        assert_eq!(path(Path::new("C:\\a 'b'/\u{1b}[31mü")), "C:\\a 'b'/\\u{1b}[31mü");
    }

    #[test]
    fn one_has_no_plural() {
        assert_eq!([0, 1, 2].map(|number| count(number, "pair")), ["0 pairs", "1 pair", "2 pairs"]);
        assert_eq!([1, 2].map(|number| count(number, "query")), ["1 query", "2 queries"]);
    }
}
