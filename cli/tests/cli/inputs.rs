//! `widephase detect` on invalid files: its messages and their cost.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

use crate::prompt::{command, feed, pairs, run, stderr, stdout, unwrapped};
use widephase::Pair;

/// The message for an input that is refused.
fn refused(args: &[&str], input: &[u8]) -> String {
    let output = feed(&[&["detect", "-"], args].concat(), input);
    assert_eq!((output.status.code(), stdout(&output)), (Some(1), ""), "{}", stderr(&output));
    let told = stderr(&output).strip_prefix("error: standard input: ").unwrap();
    told.strip_suffix('\n').unwrap().to_owned()
}

/// The longest row, in bytes.
const LONGEST: usize = 64 << 20;

/// A file of `header` and one row, which repeats `more` to more bytes than a row may have.
fn long_row(header: &str, begin: &str, more: &str) -> Vec<u8> {
    format!("{header}{begin}{}", more.repeat(LONGEST / more.len() + 1)).into_bytes()
}

#[test]
fn open_quotes_name_their_line() {
    for (input, line) in [
        ("kind,x,y\npoint,1,\"2", 2),
        ("kind,x,y\npoint,1,\"2\npoint,3,4\n\npoint,5,6\n", 2),
        ("\n\n\"kind,x,y\npoint,1,2\n", 3),
        // The first quote is closed on the line where another one opens.
        ("kind,x,y\r\npoint,\"1\r\n\",\"2\r\npoint,3,4\r\n", 3),
        ("kind,x,y,note\npoint,1,2,\"a\"\"\nb\"\npoint,1,2,\"a\"\"\nb\n", 4),
    ] {
        let told = refused(&[], input.as_bytes());
        assert_eq!(told, format!("line {line}: a quote opens here and is never closed"), "{input}");
    }
    // The quote may be closed by the quote that opens the next one.
    let told = refused(&[], b"kind,x,y\npoint,\"1,2\npoint,3,4\npoint,\"5\",6\n");
    assert_eq!(told, "line 4, column \"x\": \"1,2\\npoint,3,4\\npoint,5\\\"\" is not a number");
    let told = refused(&[], b"kind,x,y\npoint,\"1,2\npoint,3\",4,5\n");
    let expected = "line 3: 4 values, but the header has 3; in quotes, the row goes on from line 2";
    assert!(told.starts_with(expected), "{told}");
}

#[test]
fn other_kinds_of_tables_are_recognised() {
    for (input, expected) in [
        ("kind\tx\ty\npoint\t1\t2\n", "columns are separated by tabs: write --delimiter tab"),
        ("kind;x;y\npoint;1;2\n", "columns are separated by semicolons: write --delimiter ';'"),
        ("kind|x|y\npoint|1|2\n", "columns are separated by bars: write --delimiter '|'"),
    ] {
        let told = refused(&[], input.as_bytes());
        assert!(told.starts_with(&format!("line 1: {expected}: \"kind")), "{told}");
    }
    let comma = "decimal comma: ";
    let told = refused(&["--x", "x"], b"x,y\n1,5,2,5\n");
    assert!(told.contains("line 2: 4 values, but the header has 2; ") && told.contains(comma));
    let told = refused(&["--x", "x"], b"x,y\n\"1,5\",\"2,5\"\n");
    assert!(told.contains("column \"x\": \"1,5\" is not a number; ") && told.contains(comma));
    // An additional value that is not a number, or a value with a comma, need not be a decimal
    // comma.
    assert!(!refused(&["--x", "x"], b"x,y\n1,2.5,note\n").contains(comma));
    assert!(!refused(&["--x", "x"], b"x,y\n\"one, two\",3\n").contains(comma));
}

#[test]
fn text_of_two_bytes_is_recognised() {
    let text = "kind,x,y\npoint,1,2\n";
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let wide: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
    for input in [
        [&[0xff, 0xfe], &little[..]].concat(),
        [&[0xfe, 0xff], &big[..]].concat(),
        [&[0, 0, 0xfe, 0xff], &wide[..]].concat(),
        little,
        big,
    ] {
        assert_eq!(refused(&[], &input), "the text is UTF-16 or UTF-32; save it as UTF-8");
    }
}

/// Neither the length of the file nor the length of the message grows with the fault: the file is
/// not read to its end.
#[test]
fn rows_have_a_limit() {
    let header = "kind,x,y\n";
    for (input, expected) in [
        (long_row("", "", ","), "line 1: a row of more than 262144 values"),
        (long_row(header, "", ","), "line 2: a row of more than 262144 values"),
        (long_row("", "", &"a".repeat((1 << 22) + 1)), "line 1: a row of more than 4 MiB"),
        (
            long_row(header, "point,1,2\npoint,", "1"),
            "line 3: a row of more than 64 MiB in the columns that are used",
        ),
        (long_row(header, "point,1\npoint,\"", "a\n"), "line 2: 2 values, but the header has 3"),
        (
            long_row(header, "point,1,\"\npoint,", "a\n"),
            "line 2: a row of more than 64 MiB in the columns that are used; a quote opens on line 2 \
             and is not closed until then",
        ),
    ] {
        assert_eq!(refused(&[], &input), expected);
    }
    // Blank lines are not rows. The longest row is accepted.
    let blank = [&b"\n".repeat(1 << 20)[..], b"kind,x,y,body\npoint,1,2,"].concat();
    for (longer, fits) in [(0, true), (1, false)] {
        let name = b"a".repeat(LONGEST - "point12".len() + longer);
        let output = feed(&["detect", "-"], &[&blank[..], &name, b"\n"].concat());
        assert_eq!(output.status.success(), fits, "{}", stderr(&output));
    }
}

#[test]
fn messages_are_short_and_plain() {
    let escape = "\u{1b}[31m";
    let long = "\u{7}".repeat(60_000);
    for input in [
        format!("{escape},{long},b\n1,2,3\n"),
        format!("{}\n", vec![escape; 9000].join(",")),
        format!("kind,x,y\n{escape}{long},1,2\n"),
        format!("kind,x,y\npoint,{long},2\n"),
        format!("kind,vertices\npolygon,0 0 1 {long}\n"),
        format!("kind,body,x,y\npoint,{long},1,2\npoint,,1,2\npoint,{long},1,2\n"),
        format!("{long};x\n"),
    ] {
        let told = refused(&[], input.as_bytes());
        assert!(told.len() < 700, "{} bytes", told.len());
        assert!(!told.contains(char::is_control), "{told:?}");
    }
    let output = command(&["detect", "no\u{1b}such\nfile"]).output().unwrap();
    assert!(stderr(&output).starts_with("error: no\\u{1b}such\\nfile: "), "{}", stderr(&output));
}

#[test]
fn a_column_of_radii_counts() {
    let table = b"x,y,radius,r\n0,0,1,0\n1,0,1,0.1\n";
    for (args, touch, how) in [
        (
            &["--x", "x"][..],
            true,
            "2 rows (2 circle); x from column \"x\", y from column \"y\", radius from column \
             \"radius\"; columns not used: r",
        ),
        (
            &["--radius-column", "r"],
            false,
            "2 rows (2 circle); x from column \"x\", y from column \"y\", radius from column \
             \"r\"; columns not used: radius",
        ),
        (
            &["--y", "y", "--radius", "0.5"],
            true,
            "2 rows (2 circle); x from column \"x\", y from column \"y\", radius 0.5 for all; \
             columns not used: radius, r",
        ),
        (
            &["--x", "r"],
            true,
            "2 rows (2 circle); x from column \"r\", y from column \"y\", radius from column \
             \"radius\"; columns not used: x",
        ),
    ] {
        let output = feed(&[&["detect", "-"], args].concat(), table);
        let expected = if touch { vec![Pair { a: 0, b: 1 }] } else { vec![] };
        assert_eq!(pairs(stdout(&output)), expected, "{args:?}: {}", stderr(&output));
        assert!(
            stderr(&output).starts_with(&format!("standard input: {how}\n")),
            "{}",
            stderr(&output)
        );
    }
    let told = refused(&["--radius-column", "size"], table);
    assert!(told.contains("no column \"size\" among: x, y, radius, r (name the column of the rad"));
    let told = refused(&["--x", "x"], b"x,y,radius\n1,2,\n");
    assert_eq!(told, "line 2, column \"radius\": empty, but the row is of kind circle");
    let told = refused(&["--x", "x"], b"x,y,radius\n1,2,-3\n");
    assert!(told.starts_with("line 2, column \"radius\": \"-3\" is refused"), "{told}");
}

#[test]
fn rows_and_columns_that_were_read_are_reported() {
    let output = run(&["detect", "tests/data/compounds.csv"]);
    let told = "tests/data/compounds.csv: 12 rows (6 circle, 4 aabb, 1 capsule, 1 polygon); columns \
                used: kind, x, y, radius, min_x, min_y, max_x, max_y, ax, ay, bx, by, vertices, \
                body; columns not used: note\n7 shapes, read in ";
    assert!(stderr(&output).starts_with(told), "{}", stderr(&output));
    let output = feed(&["detect", "-"], b"x,kind,y\n1,point,2\n");
    let told = "standard input: 1 row (1 point); columns used: kind, x, y\n1 shape, read in ";
    assert!(stderr(&output).starts_with(told), "{}", stderr(&output));
    assert!(stderr(&output).contains("\n0 pairs, found"), "{}", stderr(&output));
    let two = b"x,kind,y\n1,point,2\n1,point,2\n";
    let output = feed(&["detect", "-"], two);
    assert!(stderr(&output).contains("\n1 pair, found"), "{}", stderr(&output));
    let output = feed(&["detect", "-", "--contacts"], two);
    assert!(stderr(&output).contains("\n1 contact, found"), "{}", stderr(&output));
}

#[test]
fn help_fits_the_terminal() {
    let help = |columns: &str, args: &[&str]| {
        let output = command(args).env("COLUMNS", columns).output().unwrap();
        stdout(&output).to_owned()
    };
    for args in
        [&["--help"][..], &["detect", "--help"], &["query", "--help"], &["compare", "--help"]]
    {
        for columns in [60, 80] {
            let text = help(&columns.to_string(), args);
            for line in text.lines() {
                assert!(line.chars().count() <= columns, "{line}");
            }
            assert_eq!(unwrapped(&text), unwrapped(&help("100", args)), "{args:?}");
        }
    }
}
