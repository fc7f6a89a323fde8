//! Omits what references or other lines imply, and fits the view into its budget.

use super::line::text::{LabeledText, ROW_TEXT_LIMIT};
use super::line::{Line, Rank};

pub(super) mod actionable;
pub(super) mod budget;
pub(super) mod implied;
pub(super) mod repeated;
pub(super) mod shared;
pub(super) mod wrappers;

/// Maximum number of long texts, and minimum characters of one. On a screen with more, texts are cut like those of rows.
const MAX_LONG_TEXTS: usize = 10;
const LONG_TEXT: usize = 80;

/// Cuts the texts of a screen with many long ones.
pub(super) fn cut_long_texts(lines: &mut [Line]) {
    let lines = lines.iter_mut().filter(|line| line.rank == Rank::Text);
    let parts = lines.flat_map(|line| &mut line.parts);
    let texts: Vec<&mut LabeledText> = parts.flat_map(|part| &mut part.texts).collect();
    let is_long = |text: &&&mut LabeledText| text.length() > LONG_TEXT;
    if texts.iter().filter(is_long).count() > MAX_LONG_TEXTS {
        for text in texts {
            text.limit(ROW_TEXT_LIMIT);
        }
    }
}
