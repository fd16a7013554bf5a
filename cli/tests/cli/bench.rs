//! `widephase bench`: rows, files, the report, errors. Times are not judged: a unit test compares
//! recorded samples.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

use std::{collections::BTreeSet, fs};

use html5gum::{Token, Tokenizer};
use serde_json::Value;
use widephase::SimdLevel;

use crate::prompt::{Folder, absent_level, run, stderr, stdout};

const CALLS: [&str; 6] = ["pairs", "contacts", "step", "rays", "nearest", "neighbors"];

/// A run as short as possible, with some more options.
fn bench(options: &[&str]) -> std::process::Output {
    run(&[&["bench", "-n", "100", "--time", "0"], options].concat())
}

#[test]
fn all_calls_are_measured_on_all_scenes_and_levels() {
    let output = bench(&["--scene", "standard", "--format", "json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let rows: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let levels = SimdLevel::available();
    assert_eq!(rows.len(), CALLS.len() * 8 * levels.len());
    let name =
        |row: &Value| ["what", "scene", "level"].map(|key| row[key].as_str().unwrap().to_owned());
    assert_eq!(rows.iter().map(name).collect::<BTreeSet<_>>().len(), rows.len());
    for row in &rows {
        assert_eq!(
            (&row["n"], &row["threads"], &row["motion"]),
            (&100.into(), &1.into(), &"drift".into())
        );
        let number = |key: &str| row[key].as_f64().unwrap();
        let [low, middle, high] =
            ["first_quartile", "median_ns_per_body", "third_quartile"].map(number);
        assert!(0.0 < low && low <= middle && middle <= high, "{row}");
        assert!(number("samples") >= 12.0, "{row}");
        assert_eq!(row["verdict"], Value::Null);
        let phases = row["phases"].as_object().unwrap();
        assert!(phases.values().all(|time| time.as_f64().is_none_or(|time| time > 0.0)), "{row}");
        let searches = !["rays", "nearest"].contains(&row["what"].as_str().unwrap());
        assert_eq!(phases["search"].is_number(), searches, "{row}");
        assert_eq!(phases["events"].is_number(), row["what"] == "step", "{row}");
    }
}

#[test]
fn adversaries_and_motions_are_measured() {
    for motion in ["brownian", "settle"] {
        let output = bench(&["--scene", "adversaries", "--motion", motion, "--level", "scalar"]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(stdout(&output).matches("| scalar").count(), CALLS.len() * 14);
    }
}

/// Of a level, a step is measured, by its movers, on each number of threads.
#[test]
fn steps_of_levels_are_measured() {
    let folder = Folder::new("bench-levels");
    let [csv, save, html] = ["rows.csv", "run.json", "report.html"].map(|name| folder.path(name));
    let levels = ["--scene", "levels", "--threads", "1,2", "--csv", &csv];
    let files = ["--save", &save, "--html", &html, "--format", "json"];
    let output = bench(&[&levels, &files[..]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let rows: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 4 * 2 * SimdLevel::available().len());
    for (row, name) in rows.iter().zip(
        ["cave", "tiles", "pit", "map"]
            .map(|name| [name; 2])
            .into_iter()
            .flat_map(|names| names.into_iter().cycle().take(2 * SimdLevel::available().len())),
    ) {
        let found = ["what", "scene", "motion", "n"].map(|key| row[key].clone());
        assert_eq!(found, ["step".into(), name.into(), Value::Null, 100.into()]);
        assert!(row["median_ns_per_body"].as_f64().unwrap() > 0.0, "{row}");
        assert!(row["found_per_body"].as_f64().unwrap() > 0.0, "{row}");
        assert!(row["phases"]["events"].is_number(), "{row}");
    }
    let run: Value = serde_json::from_str(&fs::read_to_string(&save).unwrap()).unwrap();
    assert_eq!(run["cells"], Value::Array(Vec::new()), "no grid of a scene");
    let report = fs::read_to_string(&html).unwrap();
    assert!(report.contains("<h2 id=\"case-0\">step, cave</h2>"), "{report}");

    // The calls of a scene beside; and the same levels again, with a baseline.
    let mixed = ["--scene", "s1,cave", "--level", "scalar", "--threads", "1", "--baseline", &save];
    let output = bench(&mixed);
    let text = stdout(&output);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(text.matches("\n| scalar ").count(), CALLS.len() + 1, "{text}");
    assert_eq!(text.matches("\n| level  | threads | ns/mover").count(), 1, "{text}");
    assert!(text.contains("\nstep, cave, 100 movers, ") && text.contains(" pairs a mover\n"));
    let told = format!(", {} not in the baseline.", CALLS.len());
    assert!(text.contains(&told), "{text}");
}

#[test]
fn a_table_names_the_case() {
    let output = bench(&["--what", "pairs,step", "--scene", "s2", "--level", "scalar"]);
    let text = stdout(&output);
    assert!(text.contains("\npairs, s2 (uniform-boxes), 100 bodies, "), "{text}");
    assert!(text.contains("\nstep, s2 (uniform-boxes), 100 bodies, "), "{text}");
    assert!(text.contains("\nns/body, ns/mover: median"), "{text}");
    assert_eq!(text.matches("phases of scalar on 1 thread, of a call of ").count(), 2, "{text}");
    assert_eq!(text.matches(" ns/body: check ").count(), 2, "{text}");
    assert_eq!(stderr(&output), "");
}

#[test]
fn files_are_written_and_compared_with() {
    let folder = Folder::new("bench");
    let [csv, save, html] = ["rows.csv", "run.json", "report.html"].map(|name| folder.path(name));
    let only = ["--what", "pairs,rays", "--scene", "s1", "--csv", &csv];
    let output = bench(&[&only, &["--save", &*save, "--html", &html][..]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(folder.names(), ["report.html", "rows.csv", "run.json"]);

    let rows = 2 * SimdLevel::available().len();
    let read = |path: &str| -> Vec<csv::StringRecord> {
        csv::Reader::from_path(path).unwrap().records().map(|row| row.unwrap()).collect()
    };
    let written = read(&csv);
    assert_eq!(written.len(), rows);
    assert!(written.iter().all(|row| row[13].is_empty() && row[14].is_empty()), "{written:?}");

    let run: Value = serde_json::from_str(&fs::read_to_string(&save).unwrap()).unwrap();
    assert_eq!(run["rows"].as_array().unwrap().len(), rows);
    let [cells] = &run["cells"].as_array().unwrap()[..] else { panic!("one scene: {run}") };
    let holding = cells["holding"].as_object().unwrap();
    let bodies = holding
        .iter()
        .map(|(number, count)| number.parse::<u64>().unwrap() * count.as_u64().unwrap());
    assert_eq!((cells["scene"].as_str(), bodies.sum::<u64>()), (Some("s1"), 100));
    for key in ["cpu", "commit", "date", "command", "version"] {
        assert!(!run["about"][key].as_str().unwrap().is_empty(), "{key}");
    }

    // One more call is not in the baseline.
    let more = ["--what", "pairs,rays,nearest", "--scene", "s1", "--csv", &csv, "--html", &html];
    let output = bench(&[&more, &["--baseline", &*save][..]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let told = format!(", {} not in the baseline.", rows / 2);
    assert!(stdout(&output).contains(&told), "{}", stdout(&output));
    let written = read(&csv);
    let words = ["improved", "regressed", "no change", "too noisy"];
    assert_eq!(written.iter().filter(|row| words.contains(&&row[14])).count(), rows);
    assert!(fs::read_to_string(&html).unwrap().contains("Changes from the baseline"));
}

/// A baseline of two samples a row: whatever this run has, no verdict is possible, and the command
/// says how long runs have to be.
#[test]
fn too_few_samples_are_no_verdict() {
    let folder = Folder::new("bench-few");
    let save = folder.path("run.json");
    let only = ["--what", "pairs,rays", "--scene", "s1", "--save", &save];
    assert!(bench(&only).status.success());
    let mut run: Value = serde_json::from_str(&fs::read_to_string(&save).unwrap()).unwrap();
    for row in run["rows"].as_array_mut().unwrap() {
        row["samples"] = [1e-3, 1.1e-3].into();
        row["passes"] = [1, 1].into();
    }
    fs::write(&save, run.to_string()).unwrap();
    let only = ["--what", "pairs,rays", "--scene", "s1", "--baseline", &save];
    let output = bench(&only);
    let (text, rows) = (stdout(&output), 2 * SimdLevel::available().len());
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(text.matches("| too few samples |").count(), rows, "{text}");
    let counts = format!("0 improved, 0 regressed, 0 no change, {rows} too few samples.");
    assert!(text.contains(&counts), "{text}");
    let advice = format!("\n{rows} rows have too few samples for a verdict: save and compare runs");
    assert!(text.contains(&advice) && text.contains(" with --time "), "{text}");
    let output = bench(&[&only, &["--format", "json"][..]].concat());
    assert_eq!(stdout(&output).matches("\"verdict\":\"too few samples\"").count(), rows);
    assert!(stderr(&output).contains("rows have too few samples"), "{}", stderr(&output));
}

/// If one file cannot be written, none appears.
#[test]
#[cfg(target_os = "linux")]
fn all_files_appear_or_none() {
    let folder = Folder::new("bench-full");
    let save = folder.path("run.json");
    fs::write(&save, "kept").unwrap();
    let output =
        bench(&["--what", "pairs", "--scene", "s1", "--save", &save, "--html", "/dev/full"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert_eq!((fs::read_to_string(&save).unwrap().as_str(), folder.names().len()), ("kept", 1));
}

/// The report is one file: it loads nothing, its tags match, its links lead somewhere, and it has
/// a name and a table for each chart.
#[test]
fn the_report_is_whole() {
    let folder = Folder::new("report");
    let [html, peers] = ["report.html", "results.csv"].map(|name| folder.path(name));
    // A name that would be a tag if it were not escaped.
    fs::write(
        &peers,
        "scene,n,executor,version,median_ns_per_body,pairs,ratio_to_widephase,left_out\n\
         s1,100,widephase,0.1.0,8.0,100,1.0,\n\
         s1,100,<b>tree,1.0,80.0,100,10.0,\n\
         s1,1000,<b>tree,1.0,90.0,1000,10.0,\n\
         s1,1000,slow,1.0,,,,more than 10 seconds\n",
    )
    .unwrap();
    let output = run(&[
        "bench",
        "-n",
        "100,200",
        "--time",
        "0",
        "--scene",
        "s1,s7,giant",
        "--html",
        &html,
        "--peers",
        &peers,
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    let page = fs::read_to_string(&html).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>"));
    for loaded in ["http:", "https:", "url(", "@import", "<script", "src=", "<link"] {
        assert!(!page.contains(loaded), "{loaded}");
    }
    for call in CALLS {
        for scene in ["s1 (uniform-circles)", "s7 (mixed-rotating)", "giant"] {
            assert!(page.contains(&format!(">{call}, {scene}</h2>")), "{call}, {scene}");
        }
    }
    assert!(page.contains(">Phases by level, 200 bodies</h3>") && page.contains(">Cells</h2>"));
    for level in SimdLevel::available() {
        assert!(page.contains(&format!("</svg>{level}</li>")), "{level}");
    }
    assert!(page.contains("&lt;b&gt;tree</li>") && !page.contains("slow"));
    for name in ["viewport", "prefers-color-scheme: dark", "Machine", "Commit", "Command"] {
        assert!(page.contains(name), "{name}");
    }

    let (mut open, mut ids, mut links) = (Vec::new(), BTreeSet::new(), Vec::new());
    let mut counts = [0; 3];
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    for token in Tokenizer::new(page.as_str()) {
        match token.unwrap() {
            Token::StartTag(tag) => {
                let name = text(&tag.name);
                for (key, value) in &tag.attributes {
                    let value = text(value);
                    match &*text(key) {
                        "id" => assert!(ids.insert(value.clone()), "twice: {value}"),
                        "href" => links.push(value[1..].to_owned()),
                        "aria-labelledby" => links.extend(value.split(' ').map(str::to_owned)),
                        _ => {}
                    }
                }
                for (count, of) in counts.iter_mut().zip(["figure", "desc", "details"]) {
                    *count += usize::from(name == of);
                }
                if !tag.self_closing && !["meta", "br"].contains(&&*name) {
                    open.push(name);
                }
            }
            Token::EndTag(tag) => assert_eq!(open.pop(), Some(text(&tag.name))),
            Token::Error(error) => panic!("{error:?}"),
            _ => {}
        }
    }
    assert_eq!(open, [""; 0]);
    for link in links {
        assert!(ids.contains(&link), "{link}");
    }
    assert_eq!(counts, [counts[0]; 3]);
    assert!(counts[0] >= CALLS.len() * 3);
}

#[test]
fn errors_say_what_to_do() {
    let folder = Folder::new("bench-errors");
    let [kept, bad, other] = ["kept.html", "bad.json", "other.json"].map(|name| folder.path(name));
    fs::write(&kept, "kept").unwrap();
    fs::write(&bad, "{\"rows\": 7}").unwrap();
    let about = "{\"version\":\"\",\"commit\":\"\",\"cpu\":\"\",\"threads\":1,\"system\":\"\",\
                 \"date\":\"\",\"command\":\"\",\"motion\":\"\",\"seed\":1}";
    fs::write(&other, format!("{{\"widephase_bench\":9,\"about\":{about},\"rows\":[]}}")).unwrap();
    let names = folder.names();
    let none = folder.path("none/report.html");
    let (level, absent) = absent_level();
    let cases: [(&[&str], i32, &str); 11] = [
        (&["--scene", "s9"], 2, "\"s9\" is not a scene; the scenes are"),
        (&["--what", "all"], 2, "possible values: pairs, contacts, step, rays"),
        (&["--level", level], 2, &absent),
        (&["--csv", "-"], 2, "not a file: standard output has the rows"),
        (&["--peers", &bad], 2, "--html"),
        (&["--html", &none], 1, "--html cannot be written; name a file in a folder that exists"),
        (&["--csv", &kept, "--save", &kept], 1, "--csv and --save have the same file; name two"),
        (&["--baseline", &none], 1, "not a saved run; write one by `widephase bench --save FILE`"),
        (&["--baseline", &bad], 1, "bad.json: not a saved run; write one by"),
        (&["--baseline", &other], 1, "it has format 9, and this version reads format 1"),
        (&["--peers", &other, "--html", &kept], 1, "not the file results.csv that benches/peers"),
    ];
    for (options, status, message) in cases {
        let output = bench(options);
        assert_eq!(output.status.code(), Some(status), "{options:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{options:?}: {}", stderr(&output));
        assert!(status == 2 || stderr(&output).lines().count() == 1, "{}", stderr(&output));
        assert_eq!(stdout(&output), "");
        assert_eq!((fs::read(&kept).unwrap(), folder.names()), (b"kept".into(), names.clone()));
    }
}

/// A signal during the measurement removes all unfinished files.
#[cfg(unix)]
#[test]
fn a_signal_leaves_no_file() {
    use std::{
        io::{BufRead, BufReader},
        os::unix::process::ExitStatusExt,
        process::Stdio,
    };

    let folder = Folder::new("bench-signal");
    let [csv, save, html] = ["rows.csv", "run.json", "report.html"].map(|name| folder.path(name));
    fs::write(&html, "kept").unwrap();
    let mut command = crate::prompt::command(&[
        "bench", "-n", "100", "--time", "600", "--csv", &csv, "--save", &save, "--html", &html,
    ]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    // The first line is printed when all files are open.
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    // On Linux, they have no names yet.
    assert_eq!(folder.names().len(), if cfg!(target_os = "linux") { 1 } else { 4 }, "{line}");
    let kill = format!("kill -TERM {}", child.id());
    assert!(crate::prompt::program("sh").args(["-c", &kill]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().signal(), Some(15));
    assert_eq!(fs::read(&html).unwrap(), b"kept");
    assert_eq!(folder.names(), ["report.html"]);
}
