//! The pictures of the gallery, read from `shots.txt`.

use crate::fixture::run;
use crate::stories::{App, InputSource, Player};

#[derive(Debug)]
pub(crate) struct Shot {
    pub(crate) part: &'static str,
    pub(crate) name: &'static str,
    pub(crate) caption: &'static str,
    /// The steps before the picture is taken.
    steps: &'static str,
}

impl Shot {
    /// Whether the picture is wider than high.
    pub(crate) fn is_wide(&self) -> bool {
        self.steps.contains("rotate landscape")
    }

    pub(crate) fn phone(&self) -> Player {
        let (mut app, mut steps) = (App::None, Vec::new());
        for step in self.steps.split("; ").filter(|step| !step.is_empty()) {
            match step {
                "app widgets" => app = App::File(include_str!("widgets.yaml")),
                "app texts" => app = App::File(include_str!("texts.yaml")),
                step => steps.push(step),
            }
        }
        let mut player = Player::new(app, InputSource::Touch);
        run(async {
            for step in steps {
                if let Err(problem) = player.step(step).await {
                    panic!("{}: {step}: {problem}", self.name);
                }
            }
        });
        player
    }
}

/// All pictures, in the order of the page.
pub(crate) fn shots() -> Vec<Shot> {
    let mut part = "";
    let mut shots = Vec::new();
    for line in include_str!("shots.txt").lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            part = heading;
        } else if !line.is_empty() && !line.starts_with('#') {
            let mut columns = line.split(" | ");
            let mut column = || columns.next().unwrap_or_default();
            shots.push(Shot {
                part,
                name: column(),
                caption: column(),
                steps: column(),
            });
        }
    }
    shots
}
