//! Reads attributes of nodes and windows.

use super::defaults::{self, is_true};
use crate::{NodeSpec, Rect, Role, ScrollDirections, State, WindowKind};
use std::borrow::Cow;

/// Attributes of a window, from its frame or its root.
#[derive(Clone, Default)]
pub(super) struct WindowAttributes {
    pub(super) kind: Option<WindowKind>,
    pub(super) layer: Option<i32>,
    pub(super) active: Option<bool>,
    pub(super) title: Option<String>,
    pub(super) bounds: Option<Rect>,
}

/// Most attributes of an element; each is compared with those before.
const MAX_ATTRIBUTES: usize = 256;

pub(super) struct NodeAttributes<'w> {
    spec: NodeSpec,
    window: &'w mut WindowAttributes,
    /// Fields that were read, to refuse duplicates.
    seen: u32,
    class: bool,
    visible: Option<bool>,
    displayed: Option<bool>,
    enabled: Option<bool>,
    editable: Option<bool>,
}

impl<'w> NodeAttributes<'w> {
    pub(super) fn new(window: &'w mut WindowAttributes) -> Self {
        Self {
            spec: NodeSpec::default(),
            window,
            seen: 0,
            class: false,
            visible: None,
            displayed: None,
            enabled: None,
            editable: None,
        }
    }

    pub(super) fn add(&mut self, name: &str, value: Cow<'_, str>) -> Result<(), String> {
        let spec = &mut self.spec;
        let own = match name {
            "index" => {
                spec.index = value.trim().parse().ok();
                0
            }
            "text" => {
                spec.text = value.into();
                1
            }
            "resource-id" => {
                spec.id = value.into();
                2
            }
            "class" => {
                spec.class = value.into();
                self.class = true;
                3
            }
            "package" => {
                spec.owner = value.into();
                4
            }
            "content-desc" => {
                spec.label = value.into();
                5
            }
            "bounds" => {
                spec.bounds = parse_bounds(&value)?;
                6
            }
            "hint" => {
                spec.hint = value.into();
                7
            }
            "enabled" => {
                self.enabled = Some(is_true(&value));
                8
            }
            "visible-to-user" => {
                self.visible = Some(is_true(&value));
                9
            }
            "editable" => {
                self.editable = Some(is_true(&value));
                10
            }
            "heading" => {
                spec.state.set(State::HEADING, is_true(&value));
                11
            }
            "showing-hint" => {
                spec.state.set(State::SHOWING_HINT, is_true(&value));
                12
            }
            "role" if Role::parse(&value).is_some() => {
                spec.role = Role::parse(&value);
                13
            }
            "window-kind" => {
                self.window.kind = WindowKind::parse(&value);
                14
            }
            "window-layer" => {
                self.window.layer = value.trim().parse().ok();
                15
            }
            "window-active" => {
                self.window.active = Some(is_true(&value));
                16
            }
            "window-title" => {
                self.window.title = Some(value.into_owned());
                17
            }
            "window-bounds" => {
                self.window.bounds = parse_bounds(&value)?;
                18
            }
            "can-scroll" => {
                spec.can_scroll = ScrollDirections::parse(&value);
                19
            }
            _ => match defaults::FLAGS.iter().position(|(flag, _)| *flag == name) {
                Some(flag) => {
                    if let Some((_, bit)) = defaults::FLAGS.get(flag) {
                        spec.state.set(*bit, is_true(&value));
                    }
                    20 + flag as u32
                }
                None => {
                    if spec.attributes.len() >= MAX_ATTRIBUTES {
                        return Err(format!(
                            "an element has more than {MAX_ATTRIBUTES} attributes"
                        ));
                    }
                    if spec.attributes.iter().any(|(other, _)| **other == *name) {
                        return Err(format!("the attribute `{name}` is given twice"));
                    }
                    if name == "displayed" {
                        self.displayed = Some(is_true(&value));
                    }
                    spec.attributes.push((name.into(), value.into()));
                    return Ok(());
                }
            },
        };
        if self.seen & (1 << own) != 0 {
            return Err(format!("the attribute `{name}` is given twice"));
        }
        self.seen |= 1 << own;
        Ok(())
    }

    pub(super) fn into_spec(self, element: &str) -> NodeSpec {
        let mut spec = self.spec;
        if !self.class && element != "node" {
            spec.class = element.into();
        }
        let editable = self
            .editable
            .unwrap_or_else(|| defaults::is_editable_class(&spec.class));
        let visible = self.visible.or(self.displayed).unwrap_or(true);
        spec.state.set(State::VISIBLE, visible);
        spec.state.set(State::ENABLED, self.enabled.unwrap_or(true));
        spec.state.set(State::EDITABLE, editable);
        spec
    }
}

/// Reads `[left,top][right,bottom]`; empty means unknown.
pub(super) fn parse_bounds(value: &str) -> Result<Option<Rect>, String> {
    let trimmed = value.trim();
    if trimmed.is_empty() {
        return Ok(None);
    }
    let edges = || {
        let (first, second) = trimmed
            .strip_prefix('[')?
            .strip_suffix(']')?
            .split_once("][")?;
        let (left, top) = first.split_once(',')?;
        let (right, bottom) = second.split_once(',')?;
        let edge = |edge: &str| {
            Some(
                edge.trim()
                    .parse::<i64>()
                    .ok()?
                    .clamp(i32::MIN.into(), i32::MAX.into()) as i32,
            )
        };
        Some(Rect::new(
            edge(left)?,
            edge(top)?,
            edge(right)?,
            edge(bottom)?,
        ))
    };
    match edges() {
        Some(bounds) => Ok(Some(bounds)),
        None => Err("the bounds are not written as `[0,0][1080,2400]`".into()),
    }
}
