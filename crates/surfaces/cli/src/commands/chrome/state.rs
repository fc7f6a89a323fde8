//! `chrome state`: saves cookies and local storage to a file, and loads them into a browser.

use std::path::PathBuf;

use contract::ErrorBody;
use service::chrome::{ChromeSetup, ExistingFile, StateReport, StateScope};

use super::setup;
use crate::errors::{missing, usage};
use crate::output::Answer;
use crate::progress::Progress;
use crate::run::block_on;
use crate::table::{
    Arguments, Arity, Command, FlagSet, FlagValue, Globals, Group, Positional, Scope, Task, flags,
};

flags! {
    ORIGIN = "--origin", FlagValue::Text("<origin>"),
        "Only the cookies and the local storage of this origin, such as https://example.com";
    FORCE = "--force", FlagValue::Switch, "Replace the file if it exists";
}

pub(crate) static COMMAND: Command = Command {
    name: "chrome state",
    group: Group::Browser,
    usage: &[
        "chrome state save <file> [--origin <origin>] [--force]",
        "chrome state load <file> [--origin <origin>]",
    ],
    summary: "Save cookies and local storage of a browser to a file, or load them into a browser",
    notes: &[
        "The file contains logins: keep it secret. It is created with mode 0600; symbolic links are refused",
        "Not saved: IndexedDB, session storage, caches, and local storage of embedded frames",
        "`save` reads the local storage of the origins that set cookies and of those in the open tabs and their history; \
        `--origin` names any other. No request is sent to a server",
        "`load` adds to what the browser stores, and replaces what has the same name. It starts a browser if none is \
        running. Open pages see cookies when they are loaded again",
        "`refused` in the result lists what was left out, such as expired cookies",
    ],
    positional: Some(Positional {
        words: || OPERATIONS.to_vec(),
        arity: Arity::Many,
        ..Positional::new("<save|load> <file>", "What to do, and the file")
    }),
    flags: &[FlagSet::new("Options", &[&ORIGIN, &FORCE])],
    scopes: &[Scope::Device, Scope::Browser],
    examples: &[
        "chrome state save shop-login.json",
        "chrome state save shop-login.json --origin https://shop.example --force",
        "chrome state load shop-login.json",
    ],
    ..Command::new(build)
};

const OPERATIONS: [&str; 2] = ["save", "load"];

/// What to do with the file.
enum Operation {
    Save(ExistingFile),
    Load,
}

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let existing = match arguments.has(&FORCE) {
        true => ExistingFile::Replace,
        false => ExistingFile::Keep,
    };
    let (operation, rest) = match arguments.positionals() {
        [save, rest @ ..] if save == "save" => (Operation::Save(existing), rest),
        [load, ..] if load == "load" && existing == ExistingFile::Replace => {
            return Err(usage("--force applies only to chrome state save"));
        }
        [load, rest @ ..] if load == "load" => (Operation::Load, rest),
        [] => {
            return Err(missing(
                "chrome state requires `save <file>` or `load <file>`",
            ));
        }
        [other, ..] => {
            return Err(usage(format!(
                "chrome state has no operation {:?}; use `save <file>` or `load <file>`",
                escape::truncate_input(other)
            )));
        }
    };
    let file = match rest {
        [file] if !file.is_empty() => PathBuf::from(file),
        [] | [_] => return Err(missing("chrome state requires a file")),
        [_, extra, ..] => {
            return Err(usage(format!(
                "chrome state takes one file; {:?} is left over",
                escape::truncate_input(extra)
            )));
        }
    };
    let scope = match arguments.strict(&ORIGIN)? {
        Some(origin) => StateScope::of_origin(origin)?,
        None => StateScope::All,
    };
    Ok(Box::new(move |globals: &Globals| {
        let setup = setup(globals);
        let device = globals.device.as_deref();
        let mut progress = Progress::open(globals);
        block_on(run(
            &setup,
            device,
            &operation,
            &file,
            &scope,
            &mut progress,
        ))?
    }))
}

async fn run(
    setup: &ChromeSetup,
    device: Option<&str>,
    operation: &Operation,
    file: &std::path::Path,
    scope: &StateScope,
    progress: &mut Progress,
) -> Result<Answer, ErrorBody> {
    let (done, report) = match operation {
        Operation::Save(existing) => {
            let saved = service::chrome::save_state(setup, device, file, scope, *existing);
            ("saved", saved.await?)
        }
        Operation::Load => {
            let loaded = service::chrome::load_state(setup, device, file, scope);
            ("loaded", loaded.await?)
        }
    };
    progress.done(&summary(done, &report));
    Answer::document(done, report)
}

/// What was done, in one line.
fn summary(done: &str, report: &StateReport) -> String {
    let origins = report.origins.len();
    let text = format!(
        "{done}: cookies {}, origins with local storage {origins}",
        report.cookies
    );
    match report.refused.len() {
        0 => text,
        refused => format!("{text}, left out {refused}"),
    }
}
