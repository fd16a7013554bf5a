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
        file: Draft,
        path: PathBuf,
    },
}

/// A temporary file.
enum Draft {
    Named(NamedTempFile),
    /// A file without a name in a folder: whatever ends the process, nothing of it remains.
    #[cfg(target_os = "linux")]
    Unnamed(File, PathBuf),
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
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.sync()?;
        self.appear()
    }

    /// Finishes several outputs. No file is replaced before all files are complete.
    pub(crate) fn finish_all(mut targets: Vec<Self>) -> Result<()> {
        for target in &mut targets {
            let synced = target.sync();
            synced.with_context(|| target.name.clone())?;
        }
        for target in targets {
            let name = target.name.clone();
            target.appear().context(name)?;
        }
        Ok(())
    }

    /// Flushes the output.
    fn sync(&mut self) -> io::Result<()> {
        match &mut self.output {
            Output::Standard(output) => output.flush(),
            Output::Special(file) => file.flush(),
            // Some disks report only now that they are full.
            Output::Beside { file, .. } => file.as_file().sync_all(),
        }
    }

    /// Replaces the old file by a temporary file.
    fn appear(self) -> io::Result<()> {
        if let Output::Beside { file, path } = self.output {
            file.persist(path)?;
        }
        Ok(())
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
        let file = Draft::new(folder)?;
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
            Output::Beside { file, .. } => file.as_file().write(bytes),
        }
    }

    /// Does nothing: see [`finish`](Target::finish).
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Draft {
    fn new(folder: &Path) -> Result<Self> {
        #[cfg(target_os = "linux")]
        if let Ok(file) = unnamed::open(folder) {
            return Ok(Self::Unnamed(file, folder.to_owned()));
        }
        let mut builder = builder();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder).context("no file can be made beside it")?;
        remove_if_ended(file.path())?;
        Ok(Self::Named(file))
    }

    fn as_file(&self) -> &File {
        match self {
            Self::Named(file) => file.as_file(),
            #[cfg(target_os = "linux")]
            Self::Unnamed(file, _) => file,
        }
    }

    /// Gives it a name, in place of the old file of this name.
    fn persist(self, path: PathBuf) -> io::Result<()> {
        match self {
            Self::Named(file) => {
                file.persist(path)?;
            }
            #[cfg(target_os = "linux")]
            Self::Unnamed(file, folder) => {
                // A file with a name is replaced by renaming only.
                let named = builder().make_in(folder, |path| unnamed::link(&file, path))?;
                named.persist(path)?;
            }
        }
        Ok(())
    }
}

fn builder() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".widephase-").suffix(".tmp");
    builder
}

/// Files without a name.
#[cfg(target_os = "linux")]
mod unnamed {
    use std::{
        fs::{File, OpenOptions},
        io,
        os::{fd::AsRawFd, unix::fs::OpenOptionsExt},
        path::Path,
    };

    use nix::{
        fcntl::{AT_FDCWD, AtFlags, OFlag},
        unistd::linkat,
    };

    /// Makes a file without a name in a folder. Not every file system can.
    pub(super) fn open(folder: &Path) -> io::Result<File> {
        let flags = OFlag::O_TMPFILE.bits();
        OpenOptions::new().write(true).mode(0o666).custom_flags(flags).open(folder)
    }

    /// Gives one a name.
    pub(super) fn link(file: &File, path: &Path) -> io::Result<()> {
        let open = format!("/proc/self/fd/{}", file.as_raw_fd());
        linkat(AT_FDCWD, &*open, AT_FDCWD, path, AtFlags::AT_SYMLINK_FOLLOW)?;
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

/// Removes a file, and all other files that were passed to this function, if a signal ends the
/// process, from Ctrl-C or `kill`. Then the process ends by that signal.
#[cfg(unix)]
fn remove_if_ended(path: &Path) -> io::Result<()> {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM},
        iterator::Signals,
        low_level::emulate_default_handler,
    };

    let unfinished = || UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    let mut files = unfinished();
    // One thread removes all files, because it ends the process afterwards.
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
