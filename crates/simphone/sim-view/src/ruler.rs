//! Measures texts and remembers what it measured.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use draw::{TextStyle, Theme, measure};

/// How many measurements are remembered at least before those that nobody asks for any more are forgotten.
const FEW: usize = 256;

type Sizes = HashMap<u64, (f32, f32)>;

/// Measures texts in the look of the phone.
#[derive(Debug)]
pub struct Ruler {
    theme: Theme,
    /// What was asked for of late.
    fresh: Sizes,
    /// What was asked for before that, and is forgotten when the fresh ones take its place.
    stale: Sizes,
    /// How often something was asked for since a layout began.
    asked: usize,
}

impl Ruler {
    pub fn new(theme: Theme) -> Self {
        Self {
            theme,
            fresh: Sizes::default(),
            stale: Sizes::default(),
            asked: 0,
        }
    }

    /// A layout begins: what the one before asked for is most of what this one asks for. Texts that change all the time
    /// leave measurements behind that nobody asks for again; never in the middle of a layout, however large, they go.
    pub fn begin(&mut self) {
        let asked = std::mem::take(&mut self.asked);
        if self.fresh.len() > FEW.max(2 * asked) {
            self.stale = std::mem::take(&mut self.fresh);
        }
    }

    pub const fn theme(&self) -> &Theme {
        &self.theme
    }

    /// Width and height of `text` in whole pixels when it may be at most `width` wide.
    pub fn measure(&mut self, text: &str, style: &TextStyle, width: Option<f32>) -> (f32, f32) {
        // The key is a hash made with fixed keys, so that a look-up needs no copy of the text.
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        style.size.to_bits().hash(&mut hasher);
        style.weight.hash(&mut hasher);
        style.flow.hash(&mut hasher);
        style.max_lines.hash(&mut hasher);
        style.line_height.map(f32::to_bits).hash(&mut hasher);
        width.map(f32::to_bits).hash(&mut hasher);
        let key = hasher.finish();
        self.asked += 1;
        if let Some(size) = self.fresh.get(&key) {
            return *size;
        }
        let size = self.stale.remove(&key).unwrap_or_else(|| {
            let (w, h) = measure(text, style, width);
            (w.ceil(), h.ceil())
        });
        self.fresh.insert(key, size);
        size
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use draw::TextRole;
    use sim_format::style::Ink;
    use sim_format::widget::Lettering;

    /// A layout of these texts.
    fn lay_out(ruler: &mut Ruler, texts: impl Iterator<Item = String>) {
        ruler.begin();
        let style = Lettering::new(TextRole::BodyLarge, Ink::Text).style(&ruler.theme);
        for text in texts {
            ruler.measure(&text, &style, None);
        }
    }

    #[test]
    fn what_a_layout_asks_for_is_there_for_the_next_and_what_changes_all_the_time_goes() {
        let mut ruler = Ruler::new(Theme::light(1.0));
        let screen = || (0..3_000).map(|row| format!("Row {row}"));
        lay_out(&mut ruler, screen());
        lay_out(&mut ruler, screen());
        assert_eq!((ruler.fresh.len(), ruler.stale.len()), (3_000, 0));
        for turn in 0..10_000 {
            lay_out(&mut ruler, [format!("Clicked {turn} times")].into_iter());
        }
        assert!(ruler.fresh.len() + ruler.stale.len() <= 2 * (FEW + 1));
    }
}
