//! How deep loops are nested.

use crate::tokens::{Token, group_len, tokens};

/// The lines of the loops of a source that are in `most` loops or more.
pub(crate) fn deeper_than(most: usize, source: &str) -> Vec<usize> {
    let mut lines = Vec::new();
    collect(&tokens(source), most, &mut lines);
    lines
}

/// Adds the lines of loops that `most` loops of these tokens are around.
fn collect(tokens: &[Token<'_>], most: usize, lines: &mut Vec<usize>) {
    let mut at = 0;
    while at < tokens.len() {
        match body(&tokens[at..]) {
            Some(_) if most == 0 => {
                lines.push(tokens[at].line);
                at += 1;
            }
            Some((start, end)) => {
                collect(&tokens[at + start..at + end], most - 1, lines);
                at += end;
            }
            None => at += 1,
        }
    }
}

/// Where the body of the loop begins and ends that tokens begin with. The loops of an iterator's
/// expression are not looked for.
fn body(tokens: &[Token<'_>]) -> Option<(usize, usize)> {
    let keyword = tokens[0].text;
    if !["for", "while", "loop"].contains(&keyword) {
        return None;
    }
    let (mut at, mut is_loop) = (1, keyword != "for");
    while at < tokens.len() && !["{", ";"].contains(&tokens[at].text) {
        // An implementation of a trait, and a bound of all lifetimes, have no `in`.
        is_loop |= tokens[at].text == "in";
        at += if ["(", "["].contains(&tokens[at].text) { group_len(&tokens[at..]) } else { 1 };
    }
    let is_body = is_loop && at < tokens.len() && tokens[at].text == "{";
    is_body.then(|| (at, at + group_len(&tokens[at..])))
}

#[test]
fn loops_are_counted_by_hand() {
    let source = "impl A for B { fn f() { for a in b { while let Some(c) = d(|| { 1 }) {
        loop { e(); }
        for (g, h) in [i, j] {}
    } } for k in l {} } }";
    assert_eq!(deeper_than(0, source).len(), 5);
    assert_eq!(deeper_than(1, source), [1, 2, 3]);
    assert_eq!(deeper_than(2, source), [2, 3]);
    assert!(deeper_than(3, source).is_empty());
}
