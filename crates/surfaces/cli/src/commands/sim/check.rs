//! `sim check`: validates app files.

use contract::ErrorBody;
use service::sim::CheckedScreen;

use super::task;
use crate::errors::missing;
use crate::output::Answer;
use crate::progress::Progress;
use crate::table::{Arguments, Arity, Command, Group, Positional, Task};

pub(crate) static COMMAND: Command = Command {
    name: "sim check",
    group: Group::Simulation,
    usage: &["sim check <file or dir>…"],
    summary: "Validate app files and print problems with line and column, or a summary",
    notes: &[
        "details.problems lists all problems of all files: file, line, column, path in the file, message",
        "Unused parts are in warnings and not a failure: screens that nothing opens, variables that nothing uses, \
        actions that nothing runs. A package that a built-in app also has is a warning, too",
        "A directory stands for its .yaml and .yml files",
    ],
    positional: Some(Positional {
        arity: Arity::Many,
        ..Positional::new("<file or dir>…", "App files, or directories with app files")
    }),
    examples: &["sim check hello.yaml", "sim check apps/ --output pretty"],
    ..Command::new(build)
};

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let paths = arguments.positionals().to_vec();
    if paths.iter().all(String::is_empty) {
        return Err(missing("sim check requires an app file or a directory"));
    }
    Ok(task(move |progress| check(&paths, progress)))
}

fn check(paths: &[String], progress: &mut Progress) -> Result<Answer, ErrorBody> {
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let apps = service::sim::check(&paths).inspect_err(|error| progress.problems(error))?;
    for app in &apps {
        progress.done(&format!(
            "{}: {} ({}), screens {}{}",
            app.file,
            app.label,
            app.package,
            names(&app.screens),
            match app.dialogs.is_empty() {
                true => String::new(),
                false => format!(", dialogs {}", names(&app.dialogs)),
            }
        ));
        for warning in &app.warnings {
            progress.warn(&warning.to_string());
        }
    }
    Answer::document("apps", apps)
}

/// Screens or dialogs with their parameters.
fn names(pages: &[CheckedScreen]) -> String {
    let name = |page: &CheckedScreen| match page.params.is_empty() {
        true => page.name.clone(),
        false => format!("{}({})", page.name, page.params.join(", ")),
    };
    pages.iter().map(name).collect::<Vec<_>>().join(", ")
}
