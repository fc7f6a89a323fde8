//! What is done to the phone past the driver, so that plans begin in every state.

use driver_sim::{Rotation, ThemeChoice};

use super::{Planner, View, words};
use crate::case::Op;

impl Planner {
    pub(super) fn monkey(&mut self, view: &View<'_>) -> Op {
        let Some(tree) = view.tree else {
            // A dark screen takes nothing but the power key; now and then a plan is to meet it.
            return if self.chance(70) {
                Op::Key("power".to_owned())
            } else {
                Op::Wait(self.below(2000))
            };
        };
        if self.chance(8) {
            return self.configure();
        }
        match self.below(20) {
            0..=9 => {
                // A finger on something that can be pressed.
                let targets: Vec<_> = tree
                    .ids()
                    .filter(|id| tree.node(*id).is(uitree::State::CLICKABLE))
                    .filter_map(|id| tree.visible_bounds(id))
                    .collect();
                if targets.is_empty() {
                    return Op::Key("back".to_owned());
                }
                let at = self.pick(&targets).center();
                Op::Tap { x: at.x, y: at.y }
            }
            10 => Op::Tap {
                x: self.pixel(-20, view.width + 20),
                y: self.pixel(-20, view.height + 20),
            },
            11..=14 => {
                let x = self.pixel(0, view.width);
                let y = self.pixel(0, view.height);
                let sideways = self.chance(20);
                Op::Drag {
                    from: (x, y),
                    to: if sideways {
                        (self.pixel(0, view.width), y)
                    } else {
                        (x, self.pixel(0, view.height))
                    },
                    ms: 16 + self.below(600),
                    up: !self.chance(5),
                }
            }
            15 => {
                // Most often the way back out of somewhere.
                let key = self.pick(&words::KEYS);
                let key = if key == "power" && self.chance(60) {
                    "back"
                } else {
                    key
                };
                Op::Key(key.to_owned())
            }
            16 => Op::Type(self.pick(&words::TEXTS).to_owned()),
            17 => Op::Key("back".to_owned()),
            _ => Op::Wait(self.below(3000)),
        }
    }

    /// The phone is turned, set up differently, or shared by two apps.
    fn configure(&mut self) -> Op {
        match self.below(8) {
            0 | 1 => Op::Turn(self.pick(&[
                Rotation::Portrait,
                Rotation::Landscape,
                Rotation::ReversePortrait,
                Rotation::ReverseLandscape,
            ])),
            2 => Op::Theme(self.pick(&[ThemeChoice::Light, ThemeChoice::Dark])),
            3 => Op::FontScale(self.pick(&[0.85, 1.0, 1.3, 2.0])),
            4 => Op::Language(self.pick(&words::LANGUAGES).to_owned()),
            5 | 6 if self.chance(60) => {
                let (upper, lower) = (self.package(), self.package());
                Op::Split(Some((upper.to_owned(), lower.to_owned())))
            }
            5 | 6 => Op::Split(None),
            _ => Op::Shade,
        }
    }
}
