//! Saved screens with their questions.

use std::path::{Path, PathBuf};

use dom::Dom;
use inspect::Subject;
use inspect::selectors::{element_line, node_line};
use serde_json::Value;
use uitree::{Rect, UiTree};

use crate::Failure;

/// A screen with its questions.
pub(crate) struct Screen {
    pub(crate) name: String,
    pub(crate) surface: Surface,
    pub(crate) subject: Subject,
    pub(crate) cases: Vec<Case>,
}

/// What was saved.
pub(crate) enum Surface {
    Page(Box<Dom>),
    Phone(Box<UiTree>),
}

/// A question with the right answer.
pub(crate) struct Case {
    pub(crate) suite: String,
    pub(crate) query: String,
    pub(crate) expect: Expect,
    /// Positions of the right elements.
    pub(crate) places: Vec<usize>,
}

/// What the right answer is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expect {
    Element,
    Several,
    Nothing,
}

impl Screen {
    /// Reads all screens of a folder, in the order of their names.
    pub(crate) fn all(folder: &Path) -> Result<Vec<Self>, Failure> {
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<_, _>>()?;
        files.sort();
        files.iter().map(|file| Self::read(file)).collect()
    }

    fn read(file: &Path) -> Result<Self, Failure> {
        let saved: Value = serde_json::from_str(&std::fs::read_to_string(file)?)?;
        let (surface, subject) = match saved["screen"].as_str() {
            Some(dump) => {
                let screen = UiTree::parse_hierarchy_xml(dump.as_bytes(), None)
                    .map_err(|error| format!("{}: {error}", file.display()))?;
                let subject = Subject::from_tree(&screen);
                (Surface::Phone(Box::new(screen)), subject)
            }
            None => {
                let page: Dom = serde_json::from_value(saved["dom"].clone())?;
                let subject = Subject::from_dom(&page);
                (Surface::Page(Box::new(page)), subject)
            }
        };
        let cases = saved["cases"].as_array().into_iter().flatten();
        let cases = cases.map(|case| Case::read(case, &subject)).collect();
        Ok(Self {
            name: saved["page"].as_str().unwrap_or_default().to_owned(),
            surface,
            subject,
            cases,
        })
    }

    /// The element at `place` in a line.
    pub(crate) fn line(&self, place: usize) -> String {
        let line = match &self.surface {
            Surface::Page(page) => page.get(place).map(|id| element_line(page, id)),
            Surface::Phone(screen) => screen.get(place).map(|id| node_line(screen, id)),
        };
        line.unwrap_or_default()
    }
}

impl Case {
    fn read(case: &Value, subject: &Subject) -> Self {
        let number = |value: &Value| usize::try_from(value.as_u64()?).ok();
        let places = match rectangle(&case["bounds"]) {
            Some(bounds) => subject
                .candidates()
                .iter()
                .filter(|candidate| {
                    let own = candidate.bounds;
                    own.is_some_and(|own| bounds.contains(own.center()))
                })
                .map(|candidate| candidate.place)
                .collect(),
            None => {
                let places = case["places"].as_array().into_iter().flatten();
                places.filter_map(number).collect()
            }
        };
        Self {
            suite: case["suite"].as_str().unwrap_or_default().to_owned(),
            query: case["query"].as_str().unwrap_or_default().to_owned(),
            expect: match case["expect"].as_str() {
                Some("element") => Expect::Element,
                Some("ambiguous") => Expect::Several,
                _ => Expect::Nothing,
            },
            places,
        }
    }
}

/// A rectangle as `[left, top, right, bottom]`.
fn rectangle(value: &Value) -> Option<Rect> {
    let edge = |at: usize| i32::try_from(value.get(at)?.as_i64()?).ok();
    Some(Rect::new(edge(0)?, edge(1)?, edge(2)?, edge(3)?))
}
