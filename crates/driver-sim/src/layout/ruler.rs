//! Measures texts and remembers what it measured.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use crate::draw::{TextStyle, Theme, measure};

use super::quick::{Known, Quick};

/// How many measurements are remembered before all are forgotten.
const LIMIT: usize = 20_000;

/// Measures texts in the look of the phone.
#[derive(Debug)]
pub(crate) struct Ruler {
    theme: Theme,
    known: HashMap<u64, (f32, f32), BuildHasherDefault<Known>>,
}

impl Ruler {
    pub(crate) fn new(theme: Theme) -> Self {
        Self {
            theme,
            known: HashMap::default(),
        }
    }

    pub(crate) const fn theme(&self) -> &Theme {
        &self.theme
    }

    /// Width and height of `text` in whole pixels when it may be at most `width` wide.
    pub(crate) fn measure(
        &mut self,
        text: &str,
        style: &TextStyle,
        width: Option<f32>,
    ) -> (f32, f32) {
        // The key is a hash made with fixed keys, so that a look-up needs no copy of the text.
        let mut hasher = Quick::default();
        text.hash(&mut hasher);
        style.size.to_bits().hash(&mut hasher);
        style.weight.hash(&mut hasher);
        style.letter_spacing.to_bits().hash(&mut hasher);
        style.flow.hash(&mut hasher);
        style.max_lines.hash(&mut hasher);
        style.line_height.map(f32::to_bits).hash(&mut hasher);
        width.map(f32::to_bits).hash(&mut hasher);
        let key = hasher.finish();
        if let Some(size) = self.known.get(&key) {
            return *size;
        }
        if self.known.len() >= LIMIT {
            self.known.clear();
        }
        let (w, h) = measure(text, style, width);
        let size = (w.ceil(), h.ceil());
        self.known.insert(key, size);
        size
    }
}
