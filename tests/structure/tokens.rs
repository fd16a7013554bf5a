//! The tokens of Rust sources, as far as imports and functions need them.

/// A name, a number, `::`, or a mark. No comments, and no literals with quotes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    /// The line, from 1.
    pub(crate) line: usize,
}

/// The tokens of a source.
pub(crate) fn tokens(source: &str) -> Vec<Token<'_>> {
    let bytes = source.as_bytes();
    let (mut tokens, mut at, mut line) = (Vec::new(), 0, 1);
    while at < bytes.len() {
        let rest = &source[at..];
        let len = skipped(rest).unwrap_or_else(|| {
            let len = token_len(rest);
            tokens.push(Token { text: &rest[..len], line });
            len
        });
        line += rest[..len].matches('\n').count();
        at += len;
    }
    tokens
}

/// The length of the blanks, the comment or the literal that a text begins with.
fn skipped(text: &str) -> Option<usize> {
    let blank = text.len() - text.trim_start().len();
    if blank > 0 {
        return Some(blank);
    }
    if !text.starts_with(['/', '\'', '"', 'b', 'c', 'r']) {
        return None;
    }
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with("/*") {
        return Some(text.find("*/").map_or(text.len(), |end| end + 2));
    }
    if let Some(inner) = text.strip_prefix('\'') {
        return char_len(inner).map(|len| len + 1);
    }
    let prefix = text.len() - text.trim_start_matches(['b', 'c']).len();
    let quoted = &text[prefix..];
    if let Some(inner) = quoted.strip_prefix('"').filter(|_| prefix < 2) {
        return Some(prefix + 1 + string_len(inner));
    }
    let hashes = quoted.strip_prefix('r').filter(|_| prefix < 2)?;
    let inner = hashes.trim_start_matches('#');
    let count = hashes.len() - inner.len();
    let end = format!("\"{}", "#".repeat(count));
    let len = inner.strip_prefix('"')?.find(&end)? + 1 + end.len();
    Some(prefix + 1 + count + len)
}

/// The length of a string up to its closing quote.
fn string_len(inner: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in inner.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    inner.len()
}

/// The length of a character up to its closing quote. `None` for a lifetime.
fn char_len(inner: &str) -> Option<usize> {
    if let Some(escape) = inner.strip_prefix('\\') {
        // The quote of `'\''` is escaped.
        return escape[1..].find('\'').map(|end| end + 3);
    }
    let first = inner.chars().next()?.len_utf8();
    inner[first..].starts_with('\'').then_some(first + 1)
}

fn token_len(text: &str) -> usize {
    if text.starts_with("::") {
        return 2;
    }
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let name = text.find(|letter| !is_name(letter)).unwrap_or(text.len());
    let first = text.chars().next().map_or(0, char::len_utf8);
    name.max(first)
}

/// The tokens without items that only tests have, items of documents included.
pub(crate) fn without_tests<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    let (mut kept, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        if is_test(&tokens[at..]) {
            at += 2 + group_len(&tokens[at + 1..]) - 1;
            at += item_len(&tokens[at..]);
        } else {
            kept.push(tokens[at]);
            at += 1;
        }
    }
    kept
}

/// Whether tokens begin with `#[cfg(test)]` or `#[cfg(all(test, ...))]`.
fn is_test(tokens: &[Token<'_>]) -> bool {
    let begins = |texts: &[&str]| {
        tokens.len() >= texts.len()
            && tokens.iter().zip(texts).all(|(token, text)| token.text == *text)
    };
    begins(&["#", "[", "cfg", "(", "test", ")"])
        || begins(&["#", "[", "cfg", "(", "all", "(", "test"])
        || begins(&["#", "[", "cfg", "(", "all", "(", "doctest"])
}

/// The number of tokens of a group in brackets that tokens begin with, brackets included.
pub(crate) fn group_len(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0;
    for (place, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth <= 0 {
            return place + 1;
        }
    }
    tokens.len()
}

/// The number of tokens of an item, its attributes included: up to a semicolon or the end of
/// braces.
fn item_len(tokens: &[Token<'_>]) -> usize {
    let mut at = 0;
    let keyword = tokens.iter().find(|token| ["use", "mod", "fn", "impl"].contains(&token.text));
    let is_import = keyword.is_some_and(|keyword| keyword.text == "use");
    while at < tokens.len() {
        match tokens[at].text {
            ";" => return at + 1,
            "{" if !is_import => return at + group_len(&tokens[at..]),
            "(" | "[" | "{" => at += group_len(&tokens[at..]),
            _ => at += 1,
        }
    }
    at
}
