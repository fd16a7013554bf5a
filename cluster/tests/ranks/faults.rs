//! What happens if a rank fails.

use crate::launch::launch;

/// Runs 4 ranks of which one fails, and returns the lines of errors that begin with `error: `, and
/// all of them.
fn failing(options: &str) -> (Vec<String>, String) {
    let output = launch(4, &format!("--scene s1 -n 200 --steps 9 {options}"));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "{errors}");
    // Steps before the one that failed were printed.
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.lines().filter(|line| line.starts_with("step ")).count(), 3, "{text}");
    let lines = errors.lines().filter(|line| line.starts_with("error: "));
    (lines.map(str::to_owned).collect(), errors)
}

#[test]
fn an_error_on_one_rank_ends_all() {
    let (lines, errors) = failing("--drill error:2:4");
    assert_eq!(lines, ["error: rank 2, step 4: drill; there is no checkpoint"], "{errors}");
}

#[test]
fn a_panic_names_rank_step_and_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("saved");
    let saved = format!("--checkpoint {} --checkpoint-every 3", file.display());
    let (lines, errors) = failing(&format!("--drill panic:1:4 {saved}"));
    let expected = format!("error: rank 1, step 4: panic; go on from {} (step 3)", file.display());
    assert!(lines.contains(&expected) && errors.contains("drill"), "{errors}");
}

/// Nothing of a killed process can name the step: MPI names the rank, and others the step.
#[test]
fn a_killed_rank_ends_all() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("saved");
    let saved = format!("--checkpoint {} --checkpoint-every 3", file.display());
    for dead in [0, 3] {
        let (lines, errors) = failing(&format!("--drill abort:{dead}:4 {saved}"));
        assert!(errors.contains(&format!("process rank {dead}")), "{errors}");
        let ended = format!("was ended in step 4; go on from {} (step 3)", file.display());
        assert!(!lines.is_empty() && lines.iter().all(|line| line.ends_with(&ended)), "{errors}");
    }
}

#[test]
fn wrong_options_are_named() {
    for (options, message) in [
        ("-n 5", "--scene"),
        ("--scene s9 -n 5", "s9"),
        ("--scene s1 -n x", "not a number of bodies"),
        ("--scene s1 -n 5 --margin=-1", "--margin"),
        ("--scene s1 -n 5 --resume x", "cannot be used with"),
    ] {
        let output = launch(2, options);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(message), "{options}: {errors}");
    }
}
