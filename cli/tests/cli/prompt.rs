//! Runs the command `widephase` in tests, and reads the lists that it prints.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::{
    collections::BTreeSet,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::Duration,
};

use widephase::{Pair, SimdLevel};

/// Longer than anything takes that a test waits for, also on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The variables of the environment that change what the command prints.
const PRINTING: [&str; 5] =
    ["WIDEPHASE_LEVEL", "COLUMNS", "CLICOLOR", "CLICOLOR_FORCE", "NO_COLOR"];

/// A program, such as a shell, that runs with the default action of each signal, however the tests
/// were started: `nohup` ignores the hang-up, and a shell ignores Ctrl-C in the background.
pub(crate) fn program(name: &str) -> Command {
    #[cfg(unix)]
    signals::stop_ignoring();
    Command::new(name)
}

#[cfg(unix)]
mod signals {
    use std::{
        process::Command,
        sync::{Arc, Once, atomic::AtomicBool},
    };

    use signal_hook::{consts, flag};

    /// The signals that a process may ignore, by the names that a shell has for them.
    const SIGNALS: [(&str, i32); 14] = [
        ("HUP", consts::SIGHUP),
        ("INT", consts::SIGINT),
        ("QUIT", consts::SIGQUIT),
        ("ABRT", consts::SIGABRT),
        ("ALRM", consts::SIGALRM),
        ("TERM", consts::SIGTERM),
        ("USR1", consts::SIGUSR1),
        ("USR2", consts::SIGUSR2),
        ("TSTP", consts::SIGTSTP),
        ("TTIN", consts::SIGTTIN),
        ("TTOU", consts::SIGTTOU),
        ("XCPU", consts::SIGXCPU),
        ("XFSZ", consts::SIGXFSZ),
        ("PROF", consts::SIGPROF),
    ];

    /// Makes this process handle the signals that it ignores, by doing nothing. Children inherit
    /// that a signal is ignored, but have its default action if it was handled.
    pub(super) fn stop_ignoring() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            for (name, signal) in SIGNALS {
                // A shell cannot trap a signal that it ignored when it started.
                let script = format!("trap 'exit 7' {name}; kill -{name} $$; exit 0");
                let shell = Command::new("sh").args(["-c", &script]).status().unwrap();
                if shell.code() != Some(7) {
                    flag::register(signal, Arc::new(AtomicBool::new(false))).unwrap();
                }
            }
        });
    }
}

pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = program(env!("CARGO_BIN_EXE_widephase"));
    command.args(args).current_dir(env!("CARGO_MANIFEST_DIR"));
    for name in PRINTING {
        command.env_remove(name);
    }
    command
}

pub(crate) fn run(args: &[&str]) -> Output {
    command(args).output().unwrap()
}

/// Runs with `input` on standard input.
pub(crate) fn feed(args: &[&str], input: &[u8]) -> Output {
    let mut child = command(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Fails if the command stops reading the input before its end.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

pub(crate) fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

/// The text with single blanks, independent of its line breaks.
pub(crate) fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(crate) fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// The pairs in `text`, in its order, below the header `a,b`.
pub(crate) fn pairs(text: &str) -> Vec<Pair> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    assert_eq!(reader.headers().unwrap(), vec!["a", "b"]);
    reader.deserialize::<(u32, u32)>().map(|row| row.unwrap()).map(|(a, b)| Pair { a, b }).collect()
}

pub(crate) fn sorted(mut pairs: Vec<Pair>) -> Vec<Pair> {
    pairs.sort_unstable();
    pairs
}

/// A path for a file that a test writes, unique to this process.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    folder.join(format!("{}-{name}", std::process::id()))
}

/// A folder that is removed at the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = scratch(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// The names in it, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // The test has already passed or failed.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A SIMD level that cannot be forced here: a level that this CPU lacks or, if it has all levels,
/// an unknown level.
pub(crate) fn absent_level() -> (&'static str, String) {
    match SimdLevel::ALL.into_iter().find(|level| !level.is_available()) {
        Some(level) => (level.name(), format!("level {level} is not available on this CPU")),
        None => ("avx1024", "\"avx1024\" is not a level".to_owned()),
    }
}

/// The header of a list of contacts.
pub(crate) const CONTACTS: &str = "a,b,part_a,part_b,normal_x,normal_y,depth,x1,y1,depth1,feature_a1,\
                        feature_b1,x2,y2,depth2,feature_a2,feature_b2";

/// A list of contacts, which is equal at every SIMD level.
pub(crate) fn contacts(args: &[&str], input: &[u8]) -> String {
    let lists: BTreeSet<String> = SimdLevel::available()
        .iter()
        .map(|level| {
            let output = feed(&[args, &["--contacts", "--level", level.name()]].concat(), input);
            assert!(output.status.success(), "{}", stderr(&output));
            assert!(stderr(&output).contains(", found and written in "));
            stdout(&output).to_owned()
        })
        .collect();
    assert_eq!(lists.len(), 1);
    let list = lists.into_iter().next().unwrap();
    list.strip_prefix(CONTACTS).unwrap().trim().to_owned()
}
