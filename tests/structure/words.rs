//! One word for a thing, one thing for a word: names of types, and words that the sources avoid.

use std::collections::BTreeMap;

use crate::tokens::{Token, group_len, tokens, without_tests};

/// Names that the library does not use, and the name that it uses instead.
const AVOIDED: [(&str, &str); 21] = [
    ("Again", "RepeatSearch"),
    ("Deciding", "CopiedFilters"),
    ("HaloChecker", "the name of its check"),
    ("Kept", "CarriedValues, SinkResult"),
    ("Later", "Deferred"),
    ("Numbers", "SearchIds"),
    ("Phases", "Timings"),
    ("Room", "…Workspace, …Capacity"),
    ("Rooms", "…Workspace, …Capacity"),
    ("Still", "RestingBodies"),
    ("Turned", "Rotated"),
    ("any_touching", "any_overlapping"),
    ("brief", "input"),
    ("in_world", "in_space"),
    ("neighbor_lists", "candidate_lists"),
    ("tell", "write_events"),
    ("turning", "rotated"),
    ("with_worlds", "with_spaces"),
    ("worlds", "spaces"),
    ("BodyLayout", "ItemLayout"),
    ("bodies_of", "items"),
];

/// Names that several rooms define, for different jobs, because the language asks for them.
const IDIOMS: [&str; 1] = ["Sealed"];

/// The structs, enums, traits, unions and aliases of a source, without tests and without the types
/// of traits.
pub(crate) fn types(source: &str) -> Vec<String> {
    let tokens = without_tests(&tokens(source));
    let mut types = Vec::new();
    let mut at = 0;
    while let Some([keyword, name]) = tokens.get(at..at + 2) {
        match keyword.text {
            "impl" => at = skip_body(&tokens, at),
            "struct" | "enum" | "union" | "type" => types.push(name.text.to_owned()),
            "trait" => {
                types.push(name.text.to_owned());
                at = skip_body(&tokens, at);
            }
            _ => {}
        }
        at += 1;
    }
    types.retain(|name| name.starts_with(char::is_uppercase));
    types
}

/// The place of the last token of the body in braces that comes next.
fn skip_body(tokens: &[Token<'_>], at: usize) -> usize {
    let body = tokens[at..].iter().position(|token| token.text == "{");
    body.map_or(tokens.len(), |begin| at + begin + group_len(&tokens[at + begin..]) - 1)
}

/// The types that more than one place defines, with these places.
pub(crate) fn defined_twice<'a>(
    sources: impl Iterator<Item = (String, &'a str)>,
) -> Vec<(String, Vec<String>)> {
    let mut places = BTreeMap::<String, Vec<String>>::new();
    for (path, source) in sources {
        for name in types(source) {
            places.entry(name).or_default().push(path.clone());
        }
    }
    let twice = places.into_iter().filter(|(_, paths)| paths.len() > 1);
    twice.filter(|(name, _)| !IDIOMS.contains(&name.as_str())).collect()
}

/// The avoided words of a source, outside of comments and tests.
pub(crate) fn avoided(source: &str) -> Vec<String> {
    let tokens = without_tests(&tokens(source));
    let found = tokens.iter().filter_map(|token| {
        let (word, instead) = AVOIDED.iter().find(|(word, _)| *word == token.text)?;
        Some(format!("{word} in line {}, instead of {instead}", token.line))
    });
    found.collect()
}

#[test]
fn types_are_found_outside_of_traits_and_tests() {
    let source = "pub struct A; impl T for A { type Out = u8; } trait T { type Out; fn f() {} }
        enum B<X> { Y(X) } type C = [u8; 2]; fn f() { struct D; } #[cfg(test)] mod tests { struct A; }";
    assert_eq!(types(source), ["A", "T", "B", "C", "D"]);
    let sources = [("one".to_owned(), source), ("two".to_owned(), "enum C {}")];
    let twice = defined_twice(sources.into_iter());
    assert_eq!(twice, [("C".to_owned(), vec!["one".to_owned(), "two".to_owned()])]);
}

#[test]
fn avoided_words_are_found() {
    let found = avoided("// brief\nfn f(brief: u8) {}\nstruct Room;");
    assert_eq!(
        found,
        ["brief in line 2, instead of input", "Room in line 3, instead of …Workspace, …Capacity"]
    );
}
