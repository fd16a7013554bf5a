//! `world`: whole steps with contacts and events, see the library of this package.

fn main() -> anyhow::Result<()> {
    widephase_peers::main(widephase_peers::Suite::Steps)
}
