//! The name of the CPU.

use std::{env, fs, process::Command};

/// The CPU's own name, or its architecture if the system does not report a name. The name comes
/// from the system, because reading it from the CPU itself needs unsafe code.
pub(crate) fn name() -> String {
    let name = if cfg!(target_os = "linux") {
        fs::read_to_string("/proc/cpuinfo").ok().and_then(|info| model_name(&info))
    } else if cfg!(target_os = "macos") {
        let output = Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]).output();
        output.ok().and_then(|output| String::from_utf8(output.stdout).ok())
    } else {
        env::var("PROCESSOR_IDENTIFIER").ok()
    };
    match name.as_deref().map(str::trim) {
        Some(name) if !name.is_empty() => format!("{name} ({})", env::consts::ARCH),
        _ => env::consts::ARCH.to_owned(),
    }
}

/// The value of the first `model name` of /proc/cpuinfo.
fn model_name(info: &str) -> Option<String> {
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, name)| name.trim().to_owned())
}
