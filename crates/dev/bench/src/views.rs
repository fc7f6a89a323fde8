//! The tokens of the text views of recorded screens, with references, as the product estimates them.

use std::path::Path;

use uitree::{RefTable, TextView, UiTree, estimate_tokens};

/// The views of one screen, in tokens.
struct Row {
    name: String,
    full: usize,
    actionable: usize,
}

/// A table of every dump in a folder, with the means.
///
/// # Errors
/// The folder cannot be read, or has no dump.
pub fn run(folder: &Path) -> Result<String, String> {
    let shown = folder.display();
    let files = std::fs::read_dir(folder).map_err(|error| format!("{shown}: {error}"))?;
    let mut rows = Vec::new();
    for file in files {
        let path = file.map_err(|error| format!("{shown}: {error}"))?.path();
        if path.extension().is_none_or(|extension| extension != "xml") {
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let dump = std::fs::read(&path).map_err(|error| format!("{name}: {error}"))?;
        let Ok(tree) = UiTree::parse_hierarchy_xml(&dump, None) else {
            // Some of the recorded dumps are damaged on purpose.
            eprintln!("{name} is not a dump and is left out");
            continue;
        };
        rows.push(Row {
            name: name.into_owned(),
            full: tokens(&tree, false),
            actionable: tokens(&tree, true),
        });
    }
    if rows.is_empty() {
        return Err(format!("{shown} has no dump"));
    }
    rows.sort_by(|one, other| one.name.cmp(&other.name));
    let mean = |value: fn(&Row) -> usize| rows.iter().map(value).sum::<usize>() / rows.len();
    let mut table = String::from("tokens of a screen          full  actionable\n");
    for row in &rows {
        table.push_str(&format!(
            "{:<26} {:>5} {:>11}\n",
            row.name, row.full, row.actionable
        ));
    }
    table.push_str(&format!(
        "mean of {} screens         {:>5} {:>11}\n",
        rows.len(),
        mean(|row| row.full),
        mean(|row| row.actionable)
    ));
    Ok(table)
}

fn tokens(tree: &UiTree, only_actionable: bool) -> usize {
    let refs = RefTable::default().assign(tree);
    let view = TextView {
        only_actionable,
        budget: None,
    };
    let screen = tree.text_view_with(view, &refs);
    let line = |line: &str| estimate_tokens(line.trim_start()) + 1;
    screen.text.lines().map(line).sum()
}
