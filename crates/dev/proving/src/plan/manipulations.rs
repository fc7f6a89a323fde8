//! Operations that bypass the driver, so that plans start in many states.

use std::hash::{DefaultHasher, Hash, Hasher};

use driver_sim::{Rotation, ThemeChoice};
use uitree::{Node, NodeId, Rect, State, UiTree};

use super::{Planner, View, samples};
use crate::case::Op;

impl Planner {
    pub(super) fn manipulation(&mut self, view: &View<'_>) -> Op {
        let Some(tree) = view.tree else {
            // While the screen is off, only the power key works; sometimes it stays off for the next plan.
            return if self.chance(70) {
                Op::Key("power".to_owned())
            } else {
                Op::Wait(self.below(2000))
            };
        };
        if self.chance(8) {
            return self.change_setting();
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
                // A double tap presses twice.
                let at = self.target(tree, |node| {
                    node.is(State::EDITABLE)
                        || node.is(State::CLICKABLE)
                        || node.class.ends_with("View") && node.text.is_empty()
                });
                self.at_center(at, view, |x, y| Op::DoubleTap { x, y })
            }
            12 => {
                let at = self.target(tree, |node| {
                    node.is(State::EDITABLE) || node.is(State::LONG_CLICKABLE)
                });
                self.at_center(at, view, |x, y| Op::Drag {
                    from: (x, y),
                    to: (x, y),
                    ms: 600,
                    up: true,
                })
            }
            13 => {
                // Horizontal drags of rows, sliders and drawers.
                let at = self.target(tree, |node| node.is(State::CLICKABLE));
                let distance = self.pixel(-view.width, view.width);
                let ms = 16 + self.below(400);
                self.at_center(at, view, |x, y| Op::Drag {
                    from: (x, y),
                    to: (x + distance, y),
                    ms,
                    up: true,
                })
            }
            14 => {
                // Vertical drags of lists and pickers.
                let at = self.target(tree, |node| node.is(State::SCROLLABLE));
                let distance = at.map_or(view.height, |bounds| bounds.height());
                let distance = self.pixel(-distance, distance + 1);
                let ms = 16 + self.below(400);
                self.at_center(at, view, |x, y| Op::Drag {
                    from: (x, y),
                    to: (x, y + distance),
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
                // The power key is mostly replaced by back.
                let key = self.pick(&samples::KEYS);
                let key = if key == "power" && self.chance(60) {
                    "back"
                } else {
                    key
                };
                Op::Key(key.to_owned())
            }
            20 => Op::Type(self.pick(&samples::TEXTS).to_owned()),
            21 => Op::Key("back".to_owned()),
            _ => Op::Wait(self.below(3000)),
        }
    }

    /// Bounds of a visible node that fits, with a preference for overlays and for nodes not touched before, to reach more
    /// screens.
    fn target(&mut self, tree: &UiTree, fits: impl Fn(&Node) -> bool) -> Option<Rect> {
        let overlay = super::top_overlay(tree).filter(|_| self.rng.below(2) == 0);
        let all: Vec<(u64, Rect)> = tree
            .ids()
            .filter(|id| overlay.is_none_or(|root| *id == root || tree.contains(root, *id)))
            .filter(|id| fits(tree.node(*id)))
            .filter_map(|id| Some((node_hash(tree, id), tree.visible_bounds(id)?)))
            .collect();
        let untouched: Vec<(u64, Rect)> = all
            .iter()
            .copied()
            .filter(|(node_hash, _)| !self.touched.contains(node_hash))
            .collect();
        let from = if untouched.is_empty() || self.chance(30) {
            &all
        } else {
            &untouched
        };
        if from.is_empty() {
            return None;
        }
        let (node_hash, bounds) = self.pick(from);
        self.touched.insert(node_hash);
        Some(bounds)
    }

    /// An operation at the center of a rectangle, or at a random point without one.
    fn at_center(
        &mut self,
        at: Option<Rect>,
        view: &View<'_>,
        operation: impl FnOnce(i32, i32) -> Op,
    ) -> Op {
        match at.map(|bounds| bounds.center()) {
            Some(at) => operation(at.x, at.y),
            None => {
                let x = self.pixel(0, view.width);
                let y = self.pixel(0, view.height);
                operation(x, y)
            }
        }
    }

    /// Changes a setting or opens the shade.
    fn change_setting(&mut self) -> Op {
        match self.below(6) {
            0 | 1 => Op::Turn(self.pick(&[
                Rotation::Portrait,
                Rotation::Landscape,
                Rotation::ReversePortrait,
                Rotation::ReverseLandscape,
            ])),
            2 => Op::Theme(self.pick(&[ThemeChoice::Light, ThemeChoice::Dark])),
            3 => Op::FontScale(self.pick(&[0.85, 1.0, 1.3, 2.0])),
            4 => Op::Language(self.pick(&samples::LANGUAGES).to_owned()),
            _ => Op::Shade,
        }
    }
}

/// A hash of a node's app and texts and those of its children, to recognise it on later screens.
fn node_hash(tree: &UiTree, id: NodeId) -> u64 {
    let mut hasher = DefaultHasher::new();
    for id in std::iter::once(id).chain(tree.children(id)) {
        let node = tree.node(id);
        (&node.owner, &node.id, &node.text, &node.label).hash(&mut hasher);
    }
    hasher.finish()
}
