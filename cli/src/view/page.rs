//! The files of the page.

/// A file of the page.
#[derive(Clone, Copy)]
pub(super) struct File {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
}

impl File {
    /// The media type, by the ending of the name.
    pub(super) fn kind(self) -> &'static str {
        match self.name.rsplit('.').next() {
            Some("html") => "text/html; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            _ => "text/plain; charset=utf-8",
        }
    }
}

macro_rules! file {
    ($name:literal) => {
        File { name: $name, text: include_str!(concat!("page/", $name)) }
    };
}

/// The page itself.
pub(super) const INDEX: File = file!("index.html");

/// The files that it loads, at `/app/NAME`.
pub(super) const FILES: &[File] = &[
    file!("style.css"),
    file!("hangul.css"),
    file!("argon.js"),
    file!("camera.js"),
    file!("chart.js"),
    file!("draw.js"),
    file!("exhibit.js"),
    file!("frames.js"),
    file!("input.js"),
    file!("legend.js"),
    file!("link.js"),
    file!("main.js"),
    file!("panel.js"),
    file!("shaders.js"),
    file!("stream.js"),
];
