//! The output of the list: standard output, a device or a pipe, or a file that appears when it is
//! complete.

#[cfg(unix)]
use std::sync::{Mutex, PoisonError};
use std::{
    fs::{self, File, OpenOptions},
    io::{self, StdoutLock, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};
use same_file::Handle;
use tempfile::{Builder, NamedTempFile};

use super::quote;

/// An open output and its name for messages.
pub(crate) struct Target {
    pub(crate) name: String,
    output: Output,
}

enum Output {
    Standard(StdoutLock<'static>),
    /// An output that cannot be replaced: a device, a named pipe.
    Special(File),
    /// A temporary file next to the file that it will replace.
    Beside {
        file: NamedTempFile,
        path: PathBuf,
    },
}

impl Target {
    /// Opens the output: standard output if there is no path, or it is `-`. Refuses the files of
    /// `inputs`.
    pub(crate) fn open(path: Option<&Path>, inputs: &[&Path]) -> Result<Self> {
        let standard_input = || Handle::stdin().ok().filter(is_file);
        let handle = |input: &&Path| {
            if *input == Path::new("-") { standard_input() } else { regular(input) }
        };
        let inputs: Vec<Handle> = inputs.iter().filter_map(handle).collect();
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            let name = "standard output".to_owned();
            let output = Handle::stdout().ok().filter(is_file);
            distinct(&inputs, output).context(name.clone())?;
            return Ok(Self { name, output: Output::Standard(io::stdout().lock()) });
        };
        let name = quote::path(path);
        distinct(&inputs, regular(path)).context(name.clone())?;
        let output = Output::open(path).context(name.clone())?;
        Ok(Self { name, output })
    }

    /// Flushes the output. A temporary file is renamed and replaces the old file.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self.output {
            Output::Standard(mut output) => output.flush(),
            Output::Special(mut file) => file.flush(),
            Output::Beside { file, path } => {
                // Some disks report only now that they are full.
                file.as_file().sync_all()?;
                file.persist(path)?;
                Ok(())
            }
        }
    }
}

impl Output {
    fn open(path: &Path) -> Result<Self> {
        let there = match OpenOptions::new().write(true).open(path) {
            Ok(file) => {
                let metadata = file.metadata()?;
                if !metadata.is_file() {
                    return Ok(Self::Special(file));
                }
                Some(metadata.permissions())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        // A link stays a link, and the file that it points to is replaced.
        let path = match there {
            Some(_) => fs::canonicalize(path)?,
            None if path.is_symlink() => bail!("the link leads to no file"),
            None => path.to_owned(),
        };
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let mut builder = Builder::new();
        builder.prefix(".widephase-").suffix(".tmp");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder).context("no file can be made beside it")?;
        remove_if_ended(file.path())?;
        if let Some(permissions) = there {
            file.as_file().set_permissions(permissions)?;
        }
        Ok(Self::Beside { file, path })
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.output {
            Output::Standard(output) => output.write(bytes),
            Output::Special(file) => file.write(bytes),
            Output::Beside { file, .. } => file.as_file_mut().write(bytes),
        }
    }

    /// Does nothing: see [`finish`](Target::finish).
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The file with this name. Nothing else is opened: opening a pipe waits for its other end, and a
/// terminal may be both ends.
fn regular(path: &Path) -> Option<Handle> {
    let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    if is_file { Handle::from_path(path).ok() } else { None }
}

fn is_file(handle: &Handle) -> bool {
    handle.as_file().metadata().is_ok_and(|metadata| metadata.is_file())
}

/// Refuses a file that is both input and output.
fn distinct(inputs: &[Handle], output: Option<Handle>) -> Result<()> {
    let same = output.is_some_and(|output| inputs.contains(&output));
    ensure!(!same, "the output is the input; write to another file");
    Ok(())
}

/// The files to remove if a signal ends the process.
#[cfg(unix)]
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes a file, and all others that were passed to this function, if a signal ends the process,
/// from Ctrl-C or `kill`. Then the process ends by that signal.
#[cfg(unix)]
fn remove_if_ended(path: &Path) -> io::Result<()> {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM},
        iterator::Signals,
        low_level::emulate_default_handler,
    };

    let unfinished = || UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    let mut files = unfinished();
    // One thread removes all of them, because it ends the process afterwards.
    let is_first = files.is_empty();
    files.push(path.to_owned());
    if !is_first {
        return Ok(());
    }
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM])?;
    let wait = move || {
        for signal in signals.forever() {
            for path in unfinished().iter() {
                // The file may have its final name by now.
                let _ = fs::remove_file(path);
            }
            let _ = emulate_default_handler(signal);
        }
    };
    std::thread::Builder::new().spawn(wait)?;
    Ok(())
}

/// On other systems, the file remains if the process is ended from outside.
#[cfg(not(unix))]
fn remove_if_ended(_: &Path) -> io::Result<()> {
    Ok(())
}
