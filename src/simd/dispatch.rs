use super::Level;
pub(crate) fn cpu_has(level: Level) -> bool {
    matches!(level, Level::Scalar)
}
