//! Numbers of the library that may only fall: kernels, constants, lines of code.

use crate::tokens::{Token, group_len, tokens, without_tests};

/// A number: its meaning, its limit, and how it is counted in a source.
pub(crate) struct Count {
    pub(crate) what: &'static str,
    pub(crate) limit: usize,
    pub(crate) of: fn(&str) -> usize,
}

/// The limits. A change that lowers a number lowers its limit; no change raises a limit.
pub(crate) const COUNTS: [Count; 3] = [
    Count { what: "kernels", limit: 79, of: kernels },
    Count { what: "numeric constants", limit: 269, of: constants },
    Count { what: "lines of code", limit: 54_984, of: lines },
];

/// The types of numbers, and `Portion`: a rule of three numbers with names.
const NUMBERS: [&str; 15] = [
    "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128",
    "usize", "Portion",
];

impl Count {
    /// The fault of a number, if it has one.
    pub(crate) fn fault(&self, found: usize) -> Option<String> {
        let Self { what, limit, .. } = self;
        let place = "in COUNTS of tests/structure/counts.rs";
        if found > *limit {
            return Some(format!("{found} {what}, at most {limit}: remove as many as were added"));
        }
        // A limit that stays behind would let the number rise again.
        let far = found + found / 100 < *limit;
        far.then(|| format!("{found} {what}: lower the limit from {limit} to {found} {place}"))
    }
}

/// The kernels: implementations of the trait `Kernel`, without tests.
fn kernels(source: &str) -> usize {
    let tokens = without_tests(&tokens(source));
    let is_kernel = |&at: &usize| {
        let at = at + 1 + generics_len(&tokens[at + 1..]);
        tokens[at..].iter().map(|token| token.text).take(2).eq(["Kernel", "for"])
    };
    let mut impls = (0..tokens.len()).filter(|at| tokens[*at].text == "impl");
    impls.by_ref().filter(is_kernel).count()
}

/// The number of tokens of the generic parameters that tokens begin with.
fn generics_len(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "<" => depth += 1,
            ">" if at == 0 || tokens[at - 1].text != "-" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return if at == 0 { 0 } else { at + 1 };
        }
    }
    tokens.len()
}

/// The place of the first of these marks outside of brackets.
fn first_outside(tokens: &[Token<'_>], marks: &[&str]) -> usize {
    let mut at = 0;
    while at < tokens.len() && !marks.contains(&tokens[at].text) {
        let in_group = ["(", "["].contains(&tokens[at].text);
        at += if in_group { group_len(&tokens[at..]) } else { 1 };
    }
    at
}

/// The numeric constants: each `const` and `static` with a value whose type is a number, or an
/// array or a slice of numbers, in a module or in an implementation or trait. Constants of
/// function bodies and of tests, and tuples, do not count.
fn constants(source: &str) -> usize {
    names_of_constants(source).len()
}

/// The names of the numeric constants, and whether each is in a module, not in an implementation
/// or trait.
pub(crate) fn names_of_constants(source: &str) -> Vec<(String, bool)> {
    let tokens = without_tests(&tokens(source));
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let (mut names, mut at, mut end_of_type) = (Vec::new(), 0, 0);
    while at < tokens.len() {
        match text(at) {
            "impl" | "trait" if at >= end_of_type => {
                let begin = at + first_outside(&tokens[at..], &["{", ";"]);
                end_of_type =
                    begin + if text(begin) == "{" { group_len(&tokens[begin..]) } else { 0 };
            }
            "fn" => {
                at += first_outside(&tokens[at..], &["{", ";"]);
                at += if text(at) == "{" { group_len(&tokens[at..]) } else { 1 };
                continue;
            }
            "const" | "static" if text(at + 2) == ":" => {
                let type_of = tokens[at + 3..].iter().map(|token| token.text);
                let mut of = type_of.skip_while(|text| ["&", "'", "static", "["].contains(text));
                let is_number = of.next().is_some_and(|text| NUMBERS.contains(&text));
                // A constant of a trait without a value ends before, and so does a parameter.
                let end = first_outside(&tokens[at..], &["=", ";", ",", ">"]);
                let has_value = text(at + end) == "=";
                if is_number && has_value {
                    names.push((text(at + 1).to_owned(), at >= end_of_type));
                }
            }
            _ => {}
        }
        at += 1;
    }
    names
}

/// The constants of modules whose names are in several sources, or twice in one: a reader who
/// searches for a name should find one number. A constant of a type has the name of its type
/// before it.
pub(crate) fn constants_named_twice<'a>(sources: impl Iterator<Item = &'a str>) -> Vec<String> {
    let names = sources.flat_map(names_of_constants);
    let mut names: Vec<String> = names.filter(|(_, alone)| *alone).map(|(name, _)| name).collect();
    names.sort();
    let mut twice: Vec<String> =
        names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0].clone()).collect();
    twice.dedup();
    twice
}

/// The lines of code: lines with a name, a number or a mark outside of comments, strings and tests.
fn lines(source: &str) -> usize {
    let tokens = without_tests(&tokens(source));
    let mut lines: Vec<usize> = tokens.iter().map(|token| token.line).collect();
    lines.dedup();
    lines.len()
}

#[test]
fn kernels_constants_and_lines_are_counted() {
    let source = "impl Kernel for A {}\nimpl<F: Fn() -> u8, const N: usize> Kernel for B<F, N> {}
        impl Kernel {} impl PairKernel for C {} fn f(_: impl Kernel) {}
        #[cfg(test)] impl Kernel for D {}";
    assert_eq!(kernels(source), 2);
    let source = "const A: usize = 1;\npub(crate) const B: [[f32; 2]; 2] = [[0.0; 2]; 2];
        impl C { const D: f64 = 1.0; } static E: &'static [u8] = &[1];
        trait F { const G: u32; } struct H<const I: usize>; const J: Self = 1; const K: &str = \"\";
        const fn l() -> u8 { const M: u8 = 1; M } #[cfg(test)] const N: u8 = 1;";
    assert_eq!(constants(source), 4);
    assert_eq!(constants_named_twice([source].into_iter()), Vec::<String>::new());
    let others = "const D: u8 = 1; const E: u8 = 2; #[cfg(test)] const B: u8 = 1;";
    assert_eq!(constants_named_twice([source, others].into_iter()), ["E"]);
    assert_eq!(lines("// A\n\nfn a() { // B\n    /* C\n */ 1\n}\n#[cfg(test)]\nmod tests {\n}"), 3);
}

#[test]
fn a_limit_follows_its_number() {
    let limited = |limit| Count { what: "things", limit, of: lines };
    assert!(limited(200).fault(201).is_some_and(|fault| fault.contains("remove")));
    assert!(limited(200).fault(197).is_some_and(|fault| fault.contains("lower the limit")));
    assert_eq!(limited(200).fault(200), None);
    assert_eq!(limited(200).fault(199), None);
}
