//! Tracks which headings apply while a screen is read from top to bottom.

use std::sync::Arc;

use super::{Context, ContextKind};

/// Headings that apply.
#[derive(Debug, Default)]
pub(crate) struct Sections {
    open: Vec<Section>,
    /// Last heading, whether it applies or not.
    last: Option<(usize, Arc<str>)>,
}

#[derive(Debug)]
struct Section {
    /// 1 is the most general.
    level: u8,
    text: Arc<str>,
    place: usize,
    /// Upper bound of the end of the section.
    end: usize,
}

/// Level of text that only looks like a heading.
pub(crate) const LOOKS_LIKE: u8 = 7;

impl Sections {
    /// Closes sections that end before `place`.
    pub(crate) fn enter(&mut self, place: usize) {
        self.open.retain(|section| section.end > place);
    }

    /// Opens a section that ends before `end` at the latest.
    pub(crate) fn heading(&mut self, level: u8, text: Arc<str>, place: usize, end: usize) {
        self.open.retain(|section| section.level < level);
        if level < LOOKS_LIKE {
            self.last = Some((place, Arc::clone(&text)));
        }
        self.open.push(Section {
            level,
            text,
            place,
            end,
        });
    }

    /// Adds the headings that apply at `place`, the nearest first, and the last other heading.
    pub(crate) fn context(&self, place: usize, to: &mut Vec<Context>) {
        for section in self.open.iter().rev() {
            if section.place != place {
                to.push(Context {
                    kind: ContextKind::Heading,
                    text: Arc::clone(&section.text),
                    place: section.place,
                });
            }
        }
        let Some((last, text)) = &self.last else {
            return;
        };
        if *last != place && self.open.iter().all(|section| section.place != *last) {
            to.push(Context {
                kind: ContextKind::Preceding,
                text: Arc::clone(text),
                place: *last,
            });
        }
    }
}
