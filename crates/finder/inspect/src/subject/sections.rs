//! Which headings hold for what comes after them, kept while a screen is read from top to bottom.

use std::sync::Arc;

use super::{Context, ContextKind};

/// The headings that are in force.
#[derive(Debug, Default)]
pub(crate) struct Sections {
    open: Vec<Section>,
    /// The last heading of all, in force or not.
    last: Option<(usize, Arc<str>)>,
}

#[derive(Debug)]
struct Section {
    /// 1 is the most general.
    level: u8,
    text: Arc<str>,
    place: usize,
    /// The section ends before this place at the latest.
    end: usize,
}

/// The level of what only looks like a heading.
pub(crate) const LOOKS_LIKE: u8 = 7;

impl Sections {
    /// Closes what ends before `place`.
    pub(crate) fn enter(&mut self, place: usize) {
        self.open.retain(|section| section.end > place);
    }

    /// A heading at `place` whose section ends before `end` at the latest.
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

    /// The headings that hold for `place`, the nearest first, and the last heading before it where that is another.
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
