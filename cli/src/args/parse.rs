//! The text of an option to its value.

use std::{num::NonZeroU32, path::PathBuf};

use widephase_scenes::{LevelKind, Subject};

use crate::{off::TURN_ON, scene::SceneKind};

#[cfg(feature = "view")]
use crate::values::{MOST_BODIES, SceneId};
#[cfg(feature = "pictures")]
use crate::values::{PictureFile, View};
use crate::values::{all_threads, unique};

/// The meaning of one word: a scene, a level, or a group of them.
#[derive(Debug, Clone)]
pub(super) struct Scenes(Vec<Subject>);

/// All scenes and levels, each once.
pub(super) fn subjects(scenes: &[Scenes]) -> Vec<Subject> {
    unique(scenes.iter().flat_map(|Scenes(subjects)| subjects).copied())
}

/// Reads the name of a scene or of a group.
pub(super) fn scenes(text: &str) -> Result<Scenes, String> {
    let all = |kinds: &[SceneKind]| kinds.iter().copied().map(Subject::Scene).collect();
    Ok(Scenes(match text.trim().to_ascii_lowercase().as_str() {
        "standard" => all(&SceneKind::STANDARD),
        "adversaries" => all(&SceneKind::ADVERSARIES),
        "levels" => LevelKind::ALL.map(Subject::Level).to_vec(),
        _ => match text.parse::<Subject>() {
            Ok(subject) => vec![subject],
            Err(error) => {
                return Err(format!("{error}; the groups are: standard, adversaries, levels"));
            }
        },
    }))
}

/// Reads `250`, `10k`, `2.5M`.
pub(super) fn bodies(text: &str) -> Result<NonZeroU32, String> {
    let (digits, unit) = match text.trim() {
        text if text.ends_with(['k', 'K']) => (&text[..text.len() - 1], 1e3),
        text if text.ends_with(['m', 'M']) => (&text[..text.len() - 1], 1e6),
        text => (text, 1.0),
    };
    let number = digits.parse::<f64>().ok().map(|number| number * unit);
    number
        .filter(|number| number.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(number))
        .and_then(|number| NonZeroU32::new(number as u32))
        .ok_or_else(|| "not a number of bodies: write 1 or more, like 500, 10k, 1M".to_owned())
}

/// The most tiles: with more tiles, a list of them takes longer than they save.
const MOST_TILES: u32 = 1 << 16;

pub(super) fn tiles(text: &str) -> Result<NonZeroU32, String> {
    let number = text.parse().ok().filter(|number: &NonZeroU32| number.get() <= MOST_TILES);
    number.ok_or_else(|| format!("not a number of tiles: write 1 to {MOST_TILES}"))
}

/// A number of bytes.
pub(super) fn memory(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let (digits, unit) = match text.char_indices().last() {
        Some((end, 'k' | 'K')) => (&text[..end], 1 << 10),
        Some((end, 'm' | 'M')) => (&text[..end], 1 << 20),
        Some((end, 'g' | 'G')) => (&text[..end], 1 << 30),
        _ => (text, 1),
    };
    let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    number.ok_or_else(|| "not a number of bytes: write it like 500M or 2G".to_owned())
}

pub(super) fn threads(text: &str) -> Result<usize, String> {
    match text.trim() {
        "all" => Ok(all_threads()),
        text => match text.parse() {
            Ok(threads @ 1..=1024) => Ok(threads),
            _ => Err("not a number of threads: write 1 to 1024, or all".to_owned()),
        },
    }
}

#[cfg(feature = "view")]
pub(super) fn view_scene(text: &str) -> Result<SceneId, String> {
    SceneId::named(text.trim())
}

#[cfg(feature = "view")]
pub(super) fn view_bodies(text: &str) -> Result<u32, String> {
    let bodies = bodies(text)?.get();
    let most = MOST_BODIES;
    if bodies <= most { Ok(bodies) } else { Err(format!("a page has at most {most} bodies")) }
}

#[cfg(feature = "view")]
pub(super) fn view_threads(text: &str) -> Result<usize, String> {
    let (threads, cores) = (threads(text)?, all_threads());
    if threads <= cores { Ok(threads) } else { Err(format!("this machine has {cores} threads")) }
}

pub(super) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "not a seed: write a whole number from 0 to 2^64 - 1".to_owned())
}

#[cfg(feature = "pictures")]
pub(super) fn step(text: &str) -> Result<u64, String> {
    let step = text.parse().ok().filter(|&step| step >= 1);
    step.ok_or_else(|| "not a step: write a whole number from 1 on".to_owned())
}

#[cfg(feature = "pictures")]
pub(super) fn rays(text: &str) -> Result<u32, String> {
    let rays = text.parse().ok().filter(|rays| (1..=10_000).contains(rays));
    rays.ok_or_else(|| "not a number of rays: write 1 to 10000".to_owned())
}

#[cfg(feature = "pictures")]
pub(super) fn size(text: &str) -> Result<u32, String> {
    let size = text.parse().ok().filter(|size| (200..=8000).contains(size));
    size.ok_or_else(|| "not a width: write a number of pixels from 200 to 8000".to_owned())
}

/// Reads `-1.5,0,20,1e3`.
#[cfg(feature = "pictures")]
pub(super) fn view(text: &str) -> Result<View, String> {
    let numbers: Option<Vec<f64>> =
        text.split(',').map(|number| coordinate(number.trim())).collect();
    match numbers.as_deref() {
        Some(&[left, lower, right, upper]) if left < right && lower < upper => {
            Ok(View { min: [left, lower], max: [right, upper] })
        }
        _ => Err("not a part of the plane: write its left, lower, right and upper side, like \
            -10,0,10,5"
            .to_owned()),
    }
}

/// Reads the name of a picture.
#[cfg(feature = "pictures")]
pub(super) fn picture(text: &str) -> Result<PictureFile, String> {
    let path = PathBuf::from(text);
    let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
    let png = match ending.as_ref().and_then(|ending| ending.to_str()) {
        Some("png") => true,
        Some("svg") => false,
        _ => return Err("not a picture: write a name that ends in .svg or .png".to_owned()),
    };
    Ok(PictureFile { path, png })
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("not a number of seconds from 0 to 3600".to_owned()),
    }
}

/// Reads the name of a report.
pub(super) fn report(text: &str) -> Result<PathBuf, String> {
    of_report(text).and_then(|_| file(text))
}

/// Reads the name of a file for a report, if this build writes reports.
pub(super) fn of_report(text: &str) -> Result<PathBuf, String> {
    match cfg!(feature = "report") {
        true => Ok(text.into()),
        false => Err(format!("this build writes no reports; {TURN_ON}")),
    }
}

pub(super) fn file(text: &str) -> Result<PathBuf, String> {
    match text {
        "-" => {
            Err("not a file: standard output has the rows; --format json makes them JSON"
                .to_owned())
        }
        text => Ok(text.into()),
    }
}

pub(super) fn radius(text: &str) -> Result<f64, String> {
    length(text).ok_or_else(|| "not a radius: write a number from 0 to 2^60".to_owned())
}

pub(super) fn distance(text: &str) -> Result<f64, String> {
    length(text).ok_or_else(|| "not a distance: write a number from 0 to 2^60".to_owned())
}

pub(super) fn margin(text: &str) -> Result<f32, String> {
    let margin = length(text).map(|margin| margin as f32);
    margin.ok_or_else(|| "not a margin: write a number from 0 to 2^60".to_owned())
}

/// A coordinate of a view.
#[cfg(feature = "pictures")]
fn coordinate(text: &str) -> Option<f64> {
    let most = f64::from(widephase::shape::MAX_COORDINATE);
    text.parse().ok().filter(|number: &f64| number.abs() <= most)
}

fn length(text: &str) -> Option<f64> {
    let length = text.parse().ok()?;
    (0.0..=f64::from(widephase::shape::MAX_COORDINATE)).contains(&length).then_some(length)
}

/// Reads the character between columns.
pub(super) fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        [mark]
            if mark.is_ascii() && !b"\"\r\n.-+".contains(mark) && !mark.is_ascii_alphanumeric() =>
        {
            Ok(*mark)
        }
        _ => Err("not a delimiter: write tab, or one character like ';' or '|'".to_owned()),
    }
}
