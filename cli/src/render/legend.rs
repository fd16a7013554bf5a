//! The legend below a picture: signs with their meaning, in lines.

use std::fmt::Write;

/// The size of the text, in pixels.
pub(super) const TEXT: f64 = 12.0;

/// The width of a character, in pixels: all characters are equally wide.
const CHARACTER: f64 = 0.602 * TEXT;

/// The height of a line, in pixels.
const LINE: f64 = 20.0;

/// The gaps between a sign and its text, and between two entries, in pixels.
const GAPS: [f64; 2] = [6.0, 20.0];

/// A legend under construction.
pub(super) struct Legend {
    body: String,
    left: f64,
    right: f64,
    /// The place of the next entry: its left side, and the middle of its line.
    x: f64,
    y: f64,
}

impl Legend {
    pub(super) fn new(left: f64, right: f64, top: f64) -> Self {
        Self { body: String::new(), left, right, x: left, y: top + LINE / 2.0 }
    }

    /// Appends an entry: a sign of this width, drawn around the height 0 from 0 to the right, and
    /// its meaning.
    pub(super) fn entry(&mut self, width: f64, sign: &str, text: &str) {
        let indent = if width > 0.0 { width + GAPS[0] } else { 0.0 };
        let most = ((self.right - self.left - indent) / CHARACTER) as usize;
        let text = cut(text, most);
        let room = indent + CHARACTER * text.chars().count() as f64;
        if self.x + room > self.right {
            self.end_line();
        }
        let (x, y) = (self.x, self.y);
        let (text, down) = (escaped(&text), TEXT * 0.36);
        // Writing to a string does not fail.
        let _ = writeln!(
            self.body,
            "<g transform=\"translate({x:.1} {y:.1})\">{sign}\
             <text x=\"{indent:.1}\" y=\"{down:.1}\">{text}</text></g>"
        );
        self.x += room + GAPS[1];
    }

    /// Begins a new line, unless this line is empty.
    pub(super) fn end_line(&mut self) {
        if self.x > self.left {
            (self.x, self.y) = (self.left, self.y + LINE);
        }
    }

    /// The elements, and their lower end.
    pub(super) fn finish(mut self) -> (String, f64) {
        self.end_line();
        (self.body, self.y - LINE / 2.0)
    }
}

/// A text of at most this many characters.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept = text.chars().take(most.saturating_sub(3));
    kept.chain("...".chars()).collect()
}

/// A text as XML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_flow_and_are_cut() {
        let mut legend = Legend::new(10.0, 110.0, 0.0);
        legend.entry(10.0, "<path/>", "a<b");
        legend.entry(10.0, "", "as long as 100 pixels");
        let (body, lower) = legend.finish();
        let lines: Vec<&str> = body.lines().collect();
        let first = "<g transform=\"translate(10.0 10.0)\"><path/>\
                     <text x=\"16.0\" y=\"4.3\">a&lt;b</text></g>";
        let second = "<g transform=\"translate(10.0 30.0)\">\
                      <text x=\"16.0\" y=\"4.3\">as long ...</text></g>";
        assert_eq!((lines, lower), (vec![first, second], 40.0));
    }
}
