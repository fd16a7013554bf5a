//! `widephase detect -o`: a file is complete or unchanged.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

use std::fs;

use crate::prompt::{Folder, pairs, run, stderr, stdout};

const SHAPES: &str = "tests/data/shapes.csv";

#[test]
fn the_input_is_never_the_output() {
    let folder = Folder::new("same");
    let [input, hard] = ["shapes.csv", "hard.csv"].map(|name| folder.path(name));
    fs::copy(SHAPES, &input).unwrap();
    fs::hard_link(&input, &hard).unwrap();
    let mut outputs = vec![input.clone(), hard, folder.path("./shapes.csv")];
    #[cfg(unix)]
    {
        let soft = folder.path("soft.csv");
        std::os::unix::fs::symlink("shapes.csv", &soft).unwrap();
        outputs.push(soft);
    }
    let before = folder.names();
    for path in outputs {
        let output = run(&["detect", &input, "-o", &path]);
        assert_eq!(output.status.code(), Some(1), "{path}");
        let told = format!("error: {path}: the output is the input; write to another file\n");
        assert_eq!(stderr(&output), told);
        assert_eq!(fs::read(&input).unwrap(), fs::read(SHAPES).unwrap());
    }
    assert_eq!(folder.names(), before);
}

#[test]
fn a_minus_is_standard_output() {
    let output = run(&["detect", SHAPES, "-o", "-"]);
    assert_eq!(pairs(stdout(&output)).len(), 7, "{}", stderr(&output));
}

#[test]
fn errors_leave_the_file_and_nothing_else() {
    let folder = Folder::new("errors");
    let [kept, bad] = ["kept.csv", "bad.csv"].map(|name| folder.path(name));
    fs::write(&kept, "kept").unwrap();
    fs::write(&bad, "kind,x,y\npoint,1,2\npoint,1,zwei\n").unwrap();
    let names = folder.names();
    for args in [&[&*bad][..], &["no-such-file.csv"], &[SHAPES, "--sorted", "--limit", "1"]] {
        let output = run(&[&["detect", "-o", &*kept], args].concat());
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert_eq!((fs::read(&kept).unwrap(), folder.names()), (b"kept".into(), names.clone()));
    }
    // A folder, or a file in a missing folder, is refused before the input is read.
    for path in [folder.path(""), folder.path("none/pairs.csv")] {
        let output = run(&["detect", &bad, "-o", &path]);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).starts_with(&format!("error: {path}: ")), "{}", stderr(&output));
    }
    assert_eq!(folder.names(), names);
}

#[cfg(unix)]
mod unix {
    use std::{
        fs::Permissions,
        io::Read,
        os::unix::{
            fs::{PermissionsExt, symlink},
            process::ExitStatusExt,
        },
        process::Stdio,
        thread,
        time::{Duration, Instant},
    };

    use super::*;
    use crate::prompt::{PATIENCE, command, program};

    /// Coincident points with more pairs than any disk could hold.
    fn pile(folder: &Folder) -> String {
        let path = folder.path("pile.csv");
        fs::write(&path, format!("kind,x,y\n{}", "point,1,1\n".repeat(400_000))).unwrap();
        path
    }

    #[test]
    fn permissions_and_links_stay() {
        let folder = Folder::new("links");
        let [file, link, new] = ["file.csv", "link.csv", "new.csv"].map(|name| folder.path(name));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
        symlink("file.csv", &link).unwrap();
        for path in [&link, &new] {
            let output = run(&["detect", SHAPES, "-o", path]);
            assert!(output.status.success(), "{}", stderr(&output));
            assert_eq!(pairs(&fs::read_to_string(path).unwrap()).len(), 7);
        }
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        // The same permissions as any new file.
        let plain = folder.path("plain.csv");
        fs::write(&plain, "").unwrap();
        let mode = |path: &str| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&new), mode(&plain));

        let nowhere = folder.path("nowhere.csv");
        symlink("nothing.csv", &nowhere).unwrap();
        let output = run(&["detect", SHAPES, "-o", &nowhere]);
        assert!(stderr(&output).contains("the link leads to no file"), "{}", stderr(&output));
        assert_eq!(folder.names(), ["file.csv", "link.csv", "new.csv", "nowhere.csv", "plain.csv"]);
    }

    /// A file that cannot grow, as on a full disk.
    #[test]
    fn a_full_disk_leaves_the_file() {
        let folder = Folder::new("full");
        let (pile, kept) = (pile(&folder), folder.path("kept.csv"));
        fs::write(&kept, "kept").unwrap();
        let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" detect \"$1\" -o \"$2\"";
        let path = env!("CARGO_BIN_EXE_widephase");
        let output = program("sh").args(["-c", script, path, &pile, &kept]).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert!(stderr(&output).contains(&format!("error: {kept}: ")), "{}", stderr(&output));
        assert_eq!(fs::read(&kept).unwrap(), b"kept");
        assert_eq!(folder.names(), ["kept.csv", "pile.csv"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_are_written_to() {
        let output = run(&["detect", SHAPES, "-o", "/dev/null"]);
        assert!(output.status.success(), "{}", stderr(&output));
        let output = run(&["detect", SHAPES, "-o", "/dev/full"]);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains("error: /dev/full: No space left"), "{}", stderr(&output));
    }

    #[test]
    fn pipes_with_a_name_are_written_to_and_read() {
        let folder = Folder::new("pipes");
        let [pipe, list] = ["pipe", "list.csv"].map(|name| folder.path(name));
        assert!(program("mkfifo").arg(&pipe).status().unwrap().success());
        let mut writer =
            command(&["detect", SHAPES, "-o", &pipe]).stderr(Stdio::null()).spawn().unwrap();
        assert_eq!(pairs(&fs::read_to_string(&pipe).unwrap()).len(), 7);
        assert!(writer.wait().unwrap().success());

        let mut reader =
            command(&["detect", &pipe, "-o", &list]).stderr(Stdio::null()).spawn().unwrap();
        fs::write(&pipe, fs::read(SHAPES).unwrap()).unwrap();
        assert!(reader.wait().unwrap().success());
        assert_eq!(pairs(&fs::read_to_string(&list).unwrap()).len(), 7);
    }

    /// Whether a process has written a part of a temporary file in a folder. The file has a name,
    /// or it has none, and Linux shows it among the open files.
    fn is_partly_written(folder: &Folder, process: u32) -> bool {
        let has_bytes = |path: &str| fs::metadata(path).is_ok_and(|file| file.len() > 0);
        let open = format!("/proc/{process}/fd");
        let unnamed = fs::read_dir(open).into_iter().flatten().flatten().any(|entry| {
            let name = fs::read_link(entry.path()).unwrap_or_default();
            let name = name.to_string_lossy().into_owned();
            let is_here = name.starts_with(&folder.path("")) && name.ends_with(" (deleted)");
            is_here && has_bytes(&entry.path().to_string_lossy())
        });
        let named = |name: &String| name.ends_with(".tmp") && has_bytes(&folder.path(name));
        unnamed || folder.names().iter().any(named)
    }

    #[test]
    fn signals_leave_the_file_and_nothing_else() {
        let folder = Folder::new("signals");
        let (pile, kept) = (pile(&folder), folder.path("kept.csv"));
        fs::write(&kept, "kept").unwrap();
        let mut signals = vec![("TERM", 15), ("HUP", 1), ("INT", 2)];
        if cfg!(target_os = "linux") {
            // No process can do anything about this one.
            signals.push(("KILL", 9));
        }
        for (signal, number) in signals {
            let mut command = command(&["detect", &pile, "-o", &kept]);
            let mut child = command.stderr(Stdio::null()).spawn().unwrap();
            // Wait until the list is partly written.
            let begin = Instant::now();
            while !is_partly_written(&folder, child.id()) {
                assert!(begin.elapsed() < PATIENCE, "nothing is written");
                thread::sleep(Duration::from_millis(5));
            }
            let kill = format!("kill -{signal} {}", child.id());
            assert!(program("sh").args(["-c", &kill]).status().unwrap().success());
            // The process ends by the signal, so that a shell can see it.
            assert_eq!(child.wait().unwrap().signal(), Some(number));
            assert_eq!(fs::read(&kept).unwrap(), b"kept");
            assert_eq!(folder.names(), ["kept.csv", "pile.csv"], "{signal}");
        }
    }

    /// All pairs would take half an hour to write.
    #[test]
    fn the_command_ends_with_its_reader() {
        let folder = Folder::new("reader");
        let pile = pile(&folder);
        for way in [&[][..], &["--contacts"]] {
            let begin = Instant::now();
            let mut command = command(&[&["detect", &pile], way].concat());
            let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
            let mut start = [0; 100];
            child.stdout.take().unwrap().read_exact(&mut start).unwrap();
            assert!(start.starts_with(b"a,b"));
            assert!(child.wait().unwrap().success());
            assert!(begin.elapsed() < PATIENCE, "{way:?}: {:?}", begin.elapsed());
        }
    }

    /// The limit is reported when it is exceeded: all contacts would take minutes.
    #[test]
    fn the_limit_is_told_at_once() {
        let folder = Folder::new("limit");
        let pile = pile(&folder);
        for way in [&["--sorted"][..], &["--sorted", "--contacts"]] {
            let begin = Instant::now();
            let output = run(&[&["detect", &pile, "--limit", "1k"], way].concat());
            assert!(stderr(&output).contains("error: more than 1000 "), "{}", stderr(&output));
            assert!(begin.elapsed() < PATIENCE, "{way:?}: {:?}", begin.elapsed());
        }
    }
}
