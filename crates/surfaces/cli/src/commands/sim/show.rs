//! `sim show`: draws or prints an app's screens.

use std::path::{Path, PathBuf};
use std::time::Duration;

use contract::ErrorBody;
use service::SimAppearance;
use service::sim::{ScreenSelection, ShowOptions};

use super::{file, task};
use crate::commands::not_blank;
use crate::errors::{missing, usage};
use crate::output::Answer;
use crate::progress::Progress;
use crate::table::{Arguments, Command, FlagSet, FlagValue, Group, Task, flags};

flags! {
    SCREEN = "--screen", FlagValue::Text("<name>"), "The screen [default: the app's first screen]";
    DIALOG = "--dialog", FlagValue::Text("<name>"), "A dialog to show on top of the screen";
    ALL = "--all", FlagValue::Switch, "All screens, and all dialogs on top of the first screen";
    WITH = "--with", FlagValue::Text("<name=value>"),
        "Value of a screen parameter or an app variable; repeatable";
    AFTER = "--after", FlagValue::Text("<ms>"),
        "Time after opening the screen in milliseconds, for content that appears later";
    THEME = "--theme", FlagValue::OneOf("<light|dark>", || service::THEMES.to_vec()),
        "Colour theme";
    LANGUAGE = "--language", FlagValue::Text("<tag>"),
        "The phone's language, such as en-US, or ar for right-to-left";
    FONT_SCALE = "--font-scale", FlagValue::Text("<n>"), "Text scale, from 0.85 to 2";
    ROTATION = "--rotation", FlagValue::OneOf("<rotation>", || service::ROTATIONS.to_vec()),
        "Orientation of the phone";
    OUT = "--out", FlagValue::Path("<picture.png>"),
        "The PNG file to write, or with --all the directory, which is created if missing";
    TREE = "--tree", FlagValue::Switch, "Print the nodes as text instead of drawing an image";
}

pub(crate) static COMMAND: Command = Command {
    name: "sim show",
    group: Group::Simulation,
    usage: &[
        "sim show <file> [--screen <name>] [--dialog <name>] [--with <name=value>]… [--out <picture.png>]",
        "sim show <file> --all [--out <dir>]",
        "sim show <file> [--screen <name>] --tree",
    ],
    summary: "Draw screens of an app as images, or print their nodes",
    notes: &[
        "The default file is <screen>.png or <screen>.<dialog>.png in the current directory. Existing PNG images are \
        overwritten, other files are not",
        "A parameter without a value shows its own name",
        "Each screen is shown on a freshly started phone",
    ],
    positional: file("The app file"),
    flags: &[
        FlagSet::new("What", &[&SCREEN, &DIALOG, &ALL, &WITH, &AFTER]),
        FlagSet::new(
            "How",
            &[&THEME, &LANGUAGE, &FONT_SCALE, &ROTATION, &OUT, &TREE],
        ),
    ],
    examples: &[
        "sim show hello.yaml",
        "sim show hello.yaml --screen more --with from=Ada --theme dark",
        "sim show hello.yaml --language ar --font-scale 1.3 --rotation landscape",
        "sim show hello.yaml --all --out pictures",
        "sim show hello.yaml --tree",
    ],
    ..Command::new(build)
};

/// What to show, and the output file.
struct Show {
    show: ShowOptions,
    out: Option<PathBuf>,
    tree: bool,
}

/// Setter of a flag about the appearance.
type Set = fn(&mut SimAppearance, &str) -> Result<(), String>;

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let file = not_blank(arguments.positional())
        .ok_or_else(|| missing("sim show requires an app file"))?;
    let text = |flag| -> Result<Option<String>, ErrorBody> {
        Ok(arguments.strict(flag)?.map(str::to_owned))
    };
    let (screen, dialog) = (text(&SCREEN)?, text(&DIALOG)?);
    let pages = if arguments.has(&ALL) {
        if screen.is_some() || dialog.is_some() {
            return Err(usage("use --all or a screen or dialog, not both"));
        }
        ScreenSelection::All
    } else {
        ScreenSelection::One { screen, dialog }
    };
    let mut with = Vec::new();
    for given in arguments.all(&WITH) {
        let pair = given.value().and_then(|value| value.split_once('='));
        let Some((name, value)) = pair.filter(|(name, _)| !name.trim().is_empty()) else {
            let value = escape::truncate_input(given.value().unwrap_or_default());
            return Err(usage(format!(
                "invalid value {value:?} for --with (expected name=value)"
            )));
        };
        with.push((name.trim().to_owned(), value.to_owned()));
    }
    let after = arguments.parsed(&AFTER, "milliseconds, at most a day", |text| {
        text.parse().ok().filter(|millis| *millis <= 86_400_000)
    })?;
    let mut look = SimAppearance::default();
    for (flag, set) in [
        (&THEME, SimAppearance::theme as Set),
        (&LANGUAGE, SimAppearance::language),
        (&FONT_SCALE, SimAppearance::font_scale),
        (&ROTATION, SimAppearance::rotation),
    ] {
        if let Some(text) = arguments.strict(flag)? {
            set(&mut look, text).map_err(|why| {
                usage(format!(
                    "{} {:?}: {why}",
                    flag.name,
                    escape::truncate_input(text)
                ))
            })?;
        }
    }
    let out = arguments.strict(&OUT)?.map(PathBuf::from);
    if let (Some(out), false) = (&out, arguments.has(&ALL)) {
        picture_name(out)?;
    }
    let tree = arguments.has(&TREE);
    if tree && out.is_some() {
        return Err(usage("use --tree or --out, not both: a tree is printed"));
    }
    let show = Show {
        show: ShowOptions {
            file: file.to_owned(),
            pages,
            with,
            look,
            after: after.map_or(Duration::ZERO, Duration::from_millis),
        },
        out,
        tree,
    };
    Ok(task(move |progress| show.write(progress)))
}

/// Refuses a file name with the wrong extension.
fn picture_name(out: &Path) -> Result<(), ErrorBody> {
    match out.extension() {
        Some(end) if !end.eq_ignore_ascii_case("png") => {
            let end = escape::truncate_input(&end.to_string_lossy());
            let message = format!("--out writes a PNG file, whose name must end in .{end}");
            let name = out.with_extension("png");
            Err(usage(message).with_hint(format!("Use --out {}", name.display())))
        }
        Some(_) | None => Ok(()),
    }
}

impl Show {
    fn write(self, progress: &mut Progress) -> Result<Answer, ErrorBody> {
        let shown = service::sim::show(&self.show).inspect_err(|error| progress.problems(error))?;
        let all = self.show.pages == ScreenSelection::All;
        if self.tree {
            let trees: Vec<String> = shown
                .iter()
                .map(|page| match all {
                    true => format!("// {}\n{}", page.page, page.tree),
                    false => page.tree.clone(),
                })
                .collect();
            return Ok(Answer::Text(trees.join("\n")));
        }
        if let (Some(folder), true) = (&self.out, all) {
            service::sim::picture_folder(folder)?;
        }
        let mut pictures = Vec::new();
        for page in shown {
            let name = page.file_name();
            let path = match (&self.out, all) {
                (Some(out), false) => out.clone(),
                (Some(folder), true) => folder.join(name),
                (None, _) => name,
            };
            let picture = page.write(&path)?;
            progress.done(&format!("{} → {}", picture.page, picture.path));
            pictures.push(picture);
        }
        Answer::document("pictures", pictures)
    }
}
