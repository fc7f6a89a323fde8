//! `sim import`: creates an app from screens of a real device.

use std::path::{Path, PathBuf};

use contract::ErrorBody;
use service::sim::{Dump, Replace};

use super::{FORCE, task};
use crate::errors::{missing, usage};
use crate::output::Answer;
use crate::progress::Progress;
use crate::table::{Arguments, Arity, Command, FlagSet, FlagValue, Group, Positional, Task, flags};

flags! {
    OUT = "--out", FlagValue::Path("<app.yaml>"), "The app file to write";
    NAME = "--name", FlagValue::Text("<screen=dump.xml>"),
        "Name of a dump's screen [default: its file name]";
    PICTURE = "--picture", FlagValue::Path("<screen=shot.png>"),
        "Screenshot to show instead of a drawing; the name is optional if there is only one dump";
    TAP = "--tap", FlagValue::Text("<way>"),
        "A tap that leads from one screen to another, such as 'home: text=Settings -> settings'";
    PACKAGE = "--package", FlagValue::Text("<package>"),
        "The app's package [default: that of the first dump's active window]";
    LABEL = "--label", FlagValue::Text("<text>"), "The label of the app's icon";
}

pub(crate) static COMMAND: Command = Command {
    name: "sim import",
    group: Group::Simulation,
    usage: &["sim import <dump.xml>… --out <app.yaml> [--name <screen=dump.xml>]… [--tap <way>]…"],
    summary: "Create an app from screens of a real device (hierarchy XML, as dumped by UI Automator)",
    notes: &[
        "Each dump becomes a screen with the same nodes; the app starts with the first",
        "The syntax of --tap is `screen: node -> screen`. The node uses the selector flags without dashes, \
        comma-separated: text=, text-contains=, id=, desc=, desc-contains=, role=; \"Settings\" is short for text=, \
        #com.example:id/login for id=, and nth=2 picks one of several. `-> back` and `-> home` leave the screen",
        "--name, --picture and --tap are repeatable",
        "Screenshots from other directories are copied next to the app file; existing files are never overwritten",
    ],
    positional: Some(Positional {
        arity: Arity::Many,
        ..Positional::new("<dump.xml>…", "The dumps")
    }),
    flags: &[FlagSet::new(
        "Flags",
        &[&OUT, &NAME, &PICTURE, &TAP, &PACKAGE, &LABEL, &FORCE],
    )],
    examples: &[
        "sim import window_dump.xml --out app.yaml",
        "sim import home.xml about.xml --tap 'home: text=About phone -> about' --tap 'about: desc=Navigate up -> back' \
        --out settings.yaml",
        "sim import dump.xml --name home=dump.xml --picture home=shot.png --out app.yaml",
    ],
    ..Command::new(build)
};

/// The import's input and output.
struct Import {
    dumps: Vec<Dump>,
    taps: Vec<String>,
    package: Option<String>,
    label: Option<String>,
    out: PathBuf,
    replace: Replace,
}

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let files = arguments.positionals();
    if files.is_empty() {
        return Err(missing(
            "sim import requires a dump, such as window_dump.xml",
        ));
    }
    let out = arguments
        .strict(&OUT)?
        .ok_or_else(|| missing("sim import requires --out <app.yaml>"))?;
    let mut dumps: Vec<Dump> = files
        .iter()
        .map(|file| Dump {
            file: PathBuf::from(file),
            name: None,
            picture: None,
        })
        .collect();
    for given in arguments.all(&NAME) {
        let text = given.filled().unwrap_or_default();
        let pair = text.split_once('=').filter(|(name, _)| !name.is_empty());
        let Some((name, file)) = pair else {
            let text = escape::truncate_input(text);
            return Err(usage(format!(
                "invalid value {text:?} for --name (expected screen=dump.xml)"
            )));
        };
        let dump = dumps.iter_mut().find(|dump| dump.file == Path::new(file));
        let dump = dump.ok_or_else(|| {
            let file = escape::truncate_input(file);
            usage(format!("--name: {file:?} is not one of the given dumps"))
        })?;
        dump.name = Some(name.to_owned());
    }
    for given in arguments.all(&PICTURE) {
        picture(&mut dumps, given.filled().unwrap_or_default())?;
    }
    let mut taps = Vec::new();
    for given in arguments.all(&TAP) {
        let text = given
            .filled()
            .ok_or_else(|| usage("--tap requires a value"))?;
        taps.push(text.to_owned());
    }
    let text = |flag| -> Result<Option<String>, ErrorBody> {
        Ok(arguments.strict(flag)?.map(str::to_owned))
    };
    let import = Import {
        dumps,
        taps,
        package: text(&PACKAGE)?,
        label: text(&LABEL)?,
        out: PathBuf::from(out),
        replace: super::replace(arguments),
    };
    Ok(task(move |progress| import.write(progress)))
}

/// Assigns a screenshot to the dump of its screen, or to the only dump.
fn picture(dumps: &mut [Dump], text: &str) -> Result<(), ErrorBody> {
    if text.is_empty() {
        return Err(usage("--picture requires a value"));
    }
    if let Some((name, path)) = text.split_once('=') {
        let named = dumps.iter_mut().find(|dump| {
            let stem = || dump.file.file_stem().and_then(|stem| stem.to_str());
            dump.name.as_deref().or_else(stem) == Some(name)
        });
        let Some(dump) = named else {
            let name = escape::truncate_input(name);
            return Err(usage(format!("--picture: no screen is named {name:?}")));
        };
        dump.picture = Some(PathBuf::from(path));
        return Ok(());
    }
    let [only] = dumps else {
        return Err(usage(
            "--picture requires screen=shot.png if there are several dumps",
        ));
    };
    only.picture = Some(PathBuf::from(text));
    Ok(())
}

impl Import {
    fn write(self, progress: &mut Progress) -> Result<Answer, ErrorBody> {
        let taps: Vec<&str> = self.taps.iter().map(String::as_str).collect();
        let names = (self.package.as_deref(), self.label.as_deref());
        let imported = service::sim::import(&self.dumps, &taps, names, &self.out, self.replace)
            .inspect_err(|error| progress.problems(error))?;
        for screen in &imported.screens {
            progress.done(&format!("{}: {} nodes", screen.name, screen.nodes));
        }
        let file = &imported.file;
        progress.done(&format!(
            "{file}; next: clawperator snapshot --device sim:{file}"
        ));
        Answer::document("imported", &imported)
    }
}
