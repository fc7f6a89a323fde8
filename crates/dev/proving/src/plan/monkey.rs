//! What is done to the phone past the driver, so that plans begin in every state.

use std::hash::{DefaultHasher, Hash, Hasher};

use driver_sim::{Rotation, ThemeChoice};
use uitree::{Node, NodeId, Rect, State, UiTree};

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
        match self.below(24) {
            0..=8 => match self.target(tree, |node| node.is(State::CLICKABLE)) {
                Some(at) => Op::Tap {
                    x: at.center().x,
                    y: at.center().y,
                },
                None => Op::Key("back".to_owned()),
            },
            9 => Op::Tap {
                x: self.pixel(-20, view.width + 20),
                y: self.pixel(-20, view.height + 20),
            },
            10 | 11 => {
                // Words are selected, maps come nearer, and what presses once may press twice.
                let at = self.target(tree, |node| {
                    node.is(State::EDITABLE)
                        || node.is(State::CLICKABLE)
                        || node.class.ends_with("View") && node.text.is_empty()
                });
                self.somewhere(at, view, |x, y| Op::DoubleTap { x, y })
            }
            12 => {
                let at = self.target(tree, |node| {
                    node.is(State::EDITABLE) || node.is(State::LONG_CLICKABLE)
                });
                self.somewhere(at, view, |x, y| Op::Drag {
                    from: (x, y),
                    to: (x, y),
                    ms: 600,
                    up: true,
                })
            }
            13 => {
                // Rows are pushed aside, sliders and drawers are pulled.
                let at = self.target(tree, |node| node.is(State::CLICKABLE));
                let way = self.pixel(-view.width, view.width);
                let ms = 16 + self.below(400);
                self.somewhere(at, view, |x, y| Op::Drag {
                    from: (x, y),
                    to: (x + way, y),
                    ms,
                    up: true,
                })
            }
            14 => {
                // Wheels and lists are turned.
                let at = self.target(tree, |node| node.is(State::SCROLLABLE));
                let way = at.map_or(view.height, |bounds| bounds.height());
                let way = self.pixel(-way, way + 1);
                let ms = 16 + self.below(400);
                self.somewhere(at, view, |x, y| Op::Drag {
                    from: (x, y),
                    to: (x, y + way),
                    ms,
                    up: true,
                })
            }
            15..=17 => {
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
            18 | 19 => {
                // Most often the way back out of somewhere.
                let key = self.pick(&words::KEYS);
                let key = if key == "power" && self.chance(60) {
                    "back"
                } else {
                    key
                };
                Op::Key(key.to_owned())
            }
            20 => Op::Type(self.pick(&words::TEXTS).to_owned()),
            21 => Op::Key("back".to_owned()),
            _ => Op::Wait(self.below(3000)),
        }
    }

    /// The place of something that can be seen and fits, most often in what has come up over the app, and most often
    /// something that was not chosen before: so a case gets further than its first screens.
    fn target(&mut self, tree: &UiTree, fits: impl Fn(&Node) -> bool) -> Option<Rect> {
        let above = super::uppermost(tree).filter(|_| self.dice.below(2) == 0);
        let all: Vec<(u64, Rect)> = tree
            .ids()
            .filter(|id| above.is_none_or(|root| *id == root || tree.contains(root, *id)))
            .filter(|id| fits(tree.node(*id)))
            .filter_map(|id| Some((face(tree, id), tree.visible_bounds(id)?)))
            .collect();
        let new: Vec<(u64, Rect)> = all
            .iter()
            .copied()
            .filter(|(face, _)| !self.chosen.contains(face))
            .collect();
        let from = if new.is_empty() || self.chance(30) {
            &all
        } else {
            &new
        };
        if from.is_empty() {
            return None;
        }
        let (face, bounds) = self.pick(from);
        self.chosen.insert(face);
        Some(bounds)
    }

    /// Something that is done in the middle of a place, or anywhere where there is none.
    fn somewhere(
        &mut self,
        at: Option<Rect>,
        view: &View<'_>,
        make: impl FnOnce(i32, i32) -> Op,
    ) -> Op {
        match at.map(|bounds| bounds.center()) {
            Some(at) => make(at.x, at.y),
            None => {
                let x = self.pixel(0, view.width);
                let y = self.pixel(0, view.height);
                make(x, y)
            }
        }
    }

    /// The phone is turned or set up differently.
    fn configure(&mut self) -> Op {
        match self.below(6) {
            0 | 1 => Op::Turn(self.pick(&[
                Rotation::Portrait,
                Rotation::Landscape,
                Rotation::ReversePortrait,
                Rotation::ReverseLandscape,
            ])),
            2 => Op::Theme(self.pick(&[ThemeChoice::Light, ThemeChoice::Dark])),
            3 => Op::FontScale(self.pick(&[0.85, 1.0, 1.3, 2.0])),
            4 => Op::Language(self.pick(&words::LANGUAGES).to_owned()),
            _ => Op::Shade,
        }
    }
}

/// What tells a node from others on the next screen: its names and those of what is right inside it.
fn face(tree: &UiTree, id: NodeId) -> u64 {
    let mut hasher = DefaultHasher::new();
    for id in std::iter::once(id).chain(tree.children(id)) {
        let node = tree.node(id);
        (&node.owner, &node.id, &node.text, &node.label).hash(&mut hasher);
    }
    hasher.finish()
}
