# What the scripts of CI share; read by `source`.

# Line tables are for profiles, and no result depends on the others: each saves a sixth to a fifth of the
# time to compile.
export CARGO_PROFILE_RELEASE_DEBUG=0 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=64

step() { printf '\n== %s (after %s s)\n' "$*" "$SECONDS"; }

# Formats nothing, and fails if a package has a file that is not formatted.
check_format() {
    cargo fmt --all --check
    rustfmt --edition 2024 --check benches/beside/src/{main,calls}.rs
    local manifest
    for manifest in cluster benches/peers bindings/python examples/ecs fuzz .ci/golden; do
        cargo fmt --manifest-path "$manifest/Cargo.toml" --check
    done
}
