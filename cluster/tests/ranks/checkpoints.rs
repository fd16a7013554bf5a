//! A run goes on with the same results.

use std::fs;

use crate::launch::{assert_same, launch, steps};

#[test]
fn goes_on_with_any_number_of_ranks() {
    for scene in ["s1", "s3", "s7", "s8"] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("saved");
        let file = file.display();
        let scene = format!("--scene {scene} -n 400 --seed 3 --margin 0.1 --speed 0.5");
        let whole = steps(1, &format!("{scene} --steps 9"));
        steps(3, &format!("{scene} --steps 5 --checkpoint {file} --checkpoint-every 2"));
        for ranks in [1, 2, 4] {
            let rest = steps(ranks, &format!("--resume {file} --steps 9 --verify"));
            assert_same(&rest, &whole[5..], &scene);
        }
    }
}

/// A checkpoint is the manifest and a part for each rank. Those of earlier steps are removed.
#[test]
fn leaves_the_files_of_the_last_step() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("saved");
    let options = format!("--checkpoint {} --checkpoint-every 1", file.display());
    steps(3, &format!("--scene s1 -n 50 --steps 4 {options}"));
    steps(2, &format!("--resume {} --steps 6 {options}", file.display()));
    let mut names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["saved", "saved.6.0", "saved.6.1"]);
}

/// A bad part on one rank is an error on all, and names the rank and the file.
#[test]
fn bad_files_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("saved");
    let resume = format!("--resume {} --steps 9", file.display());
    steps(3, &format!("--scene s7 -n 50 --steps 2 --checkpoint {}", file.display()));
    let part = folder.path().join("saved.2.1");
    let good = fs::read(&part).unwrap();
    let mut bad = good.clone();
    bad[100] ^= 1;
    for (content, message) in [
        (Some(&bad[..]), "not those that were written"),
        (Some(&good[..90]), "are not its bodies"),
        (None, "No such file"),
    ] {
        match content {
            Some(bytes) => fs::write(&part, bytes).unwrap(),
            None => fs::remove_file(&part).unwrap(),
        }
        let output = launch(3, &resume);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{errors}");
        let line = errors.lines().find(|line| line.starts_with("error: ")).unwrap_or_default();
        assert!(line.starts_with("error: rank 1, step 0: ") && line.contains(message), "{errors}");
        assert!(line.contains("saved.2.1") && output.stdout.is_empty(), "{errors}");
    }
}
