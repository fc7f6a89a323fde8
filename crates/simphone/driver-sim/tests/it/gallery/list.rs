//! What the gallery shows, read from `shots.txt`.

use driver::Key;
use driver_sim::Rotation;

/// One picture.
#[derive(Debug)]
pub(crate) struct Shot {
    /// The heading under which it stands.
    pub(crate) part: &'static str,
    /// The name of its file.
    pub(crate) name: &'static str,
    pub(crate) caption: &'static str,
    /// An app of its own, besides those that are built in.
    pub(crate) yaml: Option<&'static str>,
    /// A package or uri; empty for the home screen.
    pub(crate) start: &'static str,
    pub(crate) dark: bool,
    pub(crate) font_scale: f32,
    pub(crate) language: &'static str,
    pub(crate) steps: Vec<Step>,
}

/// What is done before the picture is taken.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// A tap on what is called so.
    Tap(&'static str),
    Type(&'static str),
    Press(Key),
    /// So many milliseconds pass.
    Wait(u64),
    /// The content is pushed up by so many pixels.
    Up(i32),
    /// The shade is pulled down from the top.
    Shade,
    Turn(Rotation),
}

impl Shot {
    /// Whether the picture is wider than high.
    pub(crate) fn is_wide(&self) -> bool {
        let turned = |step: &Step| matches!(step, Step::Turn(Rotation::Landscape));
        self.steps.iter().any(turned)
    }

    fn read(part: &'static str, line: &'static str) -> Self {
        let mut columns = line.split(" | ");
        let mut shot = Self {
            part,
            name: columns.next().expect("a name"),
            caption: columns.next().expect("a caption"),
            yaml: None,
            start: "",
            dark: false,
            font_scale: 1.0,
            language: "en-US",
            steps: Vec::new(),
        };
        for step in columns.next().iter().flat_map(|steps| steps.split("; ")) {
            let (word, value) = step.split_once(' ').unwrap_or((step, ""));
            let number = || value.parse().expect("a number");
            let step = match word {
                "start" => {
                    shot.start = value;
                    continue;
                }
                "dark" => {
                    shot.dark = true;
                    continue;
                }
                "scale" => {
                    shot.font_scale = value.parse().expect("a number");
                    continue;
                }
                "language" => {
                    shot.language = value;
                    continue;
                }
                "app" => {
                    shot.yaml = Some(match value {
                        "widgets" => include_str!("widgets.yaml"),
                        _ => include_str!("texts.yaml"),
                    });
                    continue;
                }
                "tap" => Step::Tap(value),
                "type" => Step::Type(value),
                "press" => Step::Press(match value {
                    "enter" => Key::Enter,
                    "home" => Key::Home,
                    "back" => Key::Back,
                    "recents" => Key::Recents,
                    _ => panic!("{line}: no key is called {value}"),
                }),
                "wait" => Step::Wait(value.parse().expect("a number")),
                "up" => Step::Up(number()),
                "shade" => Step::Shade,
                "turn" => Step::Turn(Rotation::Landscape),
                _ => panic!("{line}: no step is called {word}"),
            };
            shot.steps.push(step);
        }
        shot
    }
}

/// Every picture, in the order of the page.
pub(crate) fn shots() -> Vec<Shot> {
    let mut part = "";
    let mut shots = Vec::new();
    for line in include_str!("shots.txt").lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            part = heading;
        } else if !line.is_empty() && !line.starts_with('#') {
            shots.push(Shot::read(part, line));
        }
    }
    shots
}
