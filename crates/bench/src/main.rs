//! `clawperator-bench`.

fn main() {}
