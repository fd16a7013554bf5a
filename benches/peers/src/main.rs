//! `widephase-peers`: pairs, see the library of this package.

fn main() -> anyhow::Result<()> {
    widephase_peers::main(widephase_peers::Suite::Pairs)
}
