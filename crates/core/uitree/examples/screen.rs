//! Shows dumped screens: `cargo run -p uitree --example screen -- [notation|compact|sizes] FILE…`.

use std::process::ExitCode;
use uitree::UiTree;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let form = arguments.next().unwrap_or_default();
    let show = match form.as_str() {
        "notation" => UiTree::to_notation,
        "compact" => UiTree::to_compact,
        "sizes" => sizes,
        _ => {
            eprintln!("usage: screen notation|compact|sizes FILE…");
            return ExitCode::FAILURE;
        }
    };
    let mut failed = false;
    for file in arguments {
        let tree = std::fs::read(&file)
            .map_err(|error| error.to_string())
            .and_then(|bytes| {
                UiTree::parse_hierarchy_xml(&bytes, None).map_err(|error| error.to_string())
            });
        match tree {
            Ok(tree) => println!("== {file}\n{}", show(&tree)),
            Err(error) => {
                eprintln!("{file}: {error}");
                failed = true;
            }
        }
    }
    if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// The number of characters of each format of the screen.
fn sizes(tree: &UiTree) -> String {
    format!(
        "{} nodes: {} as hierarchy_xml, {} in the notation, {} compact",
        tree.len(),
        tree.to_hierarchy_xml().chars().count(),
        tree.to_notation().chars().count(),
        tree.to_compact().chars().count(),
    )
}
