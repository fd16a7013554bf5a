//! Piles rest with a solver that knows contact points by their ids alone.

#[path = "../../examples/stack.rs"]
mod example;

#[test]
fn piles_rest() {
    example::main().unwrap();
}
