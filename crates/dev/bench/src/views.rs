//! The tokens of the text views of recorded screens and of screens of the simulated phone, with references, as the product
//! estimates them.

use std::path::{Path, PathBuf};

use uitree::{RefTable, TextView, UiTree, estimate_tokens};

use crate::phone_screens;

#[derive(Clone, Debug)]
pub struct Options {
    pub screens: PathBuf,
    /// Where to save both views of every screen.
    pub keep: Option<PathBuf>,
}

/// The views of one screen, in tokens.
struct Row {
    name: String,
    full: usize,
    actionable: usize,
}

impl Row {
    /// The row of a screen with these views, which are saved if `keep` is a folder.
    fn new(
        name: String,
        full: &str,
        actionable: &str,
        keep: Option<&Path>,
    ) -> Result<Self, String> {
        if let Some(folder) = keep {
            for (view, text) in [("full", full), ("actionable", actionable)] {
                let file = folder.join(format!("{name} {view}.txt"));
                std::fs::write(&file, text).map_err(|error| describe(&file, &error))?;
            }
        }
        Ok(Self {
            name,
            full: tokens(full),
            actionable: tokens(actionable),
        })
    }
}

/// A table of every dump in a folder and of the simulated phone, with the means.
pub fn run(options: &Options) -> Result<String, String> {
    let folder = &options.screens;
    let keep = options.keep.as_deref();
    if let Some(keep) = keep {
        std::fs::create_dir_all(keep).map_err(|error| describe(keep, &error))?;
    }
    let files = std::fs::read_dir(folder).map_err(|error| describe(folder, &error))?;
    let mut rows = Vec::new();
    for file in files {
        let path = file.map_err(|error| describe(folder, &error))?.path();
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
        let (full, actionable) = (view(&tree, false), view(&tree, true));
        rows.push(Row::new(name.into_owned(), &full, &actionable, keep)?);
    }
    if rows.is_empty() {
        return Err(format!("{} has no dump", folder.display()));
    }
    rows.sort_by(|one, other| one.name.cmp(&other.name));
    let recorded = rows.len();
    for (name, [full, actionable]) in phone_screens::all()? {
        rows.push(Row::new(name, &full, &actionable, keep)?);
    }
    let mut table = String::from("tokens of a screen          full  actionable\n");
    for row in &rows {
        table.push_str(&format!(
            "{:<26} {:>5} {:>11}\n",
            row.name, row.full, row.actionable
        ));
    }
    for (which, rows) in [
        ("recorded", &rows[..recorded]),
        ("phone", &rows[recorded..]),
        ("all", &rows),
    ] {
        let mean =
            |value: fn(&Row) -> usize| rows.iter().map(value).sum::<usize>() / rows.len().max(1);
        table.push_str(&format!(
            "{:<26} {:>5} {:>11}\n",
            format!("mean of {} {which}", rows.len()),
            mean(|row| row.full),
            mean(|row| row.actionable)
        ));
    }
    Ok(table)
}

fn describe(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// A view of a screen on which no reference was given before.
fn view(tree: &UiTree, only_actionable: bool) -> String {
    let refs = RefTable::default().assign(tree);
    let view = TextView {
        only_actionable,
        ..TextView::default()
    };
    tree.text_view_with(view, &refs).text
}

fn tokens(view: &str) -> usize {
    let line = |line: &str| estimate_tokens(line.trim_start()) + 1;
    view.lines().map(line).sum()
}
