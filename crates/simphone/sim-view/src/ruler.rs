//! Measures texts and caches the results.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use draw::{TextStyle, Theme, measure};

/// The maximum number of cached measurements.
const MAX: usize = 32_768;

/// Measures texts in a theme, with a cache.
#[derive(Debug)]
pub struct Ruler {
    theme: Theme,
    sizes: HashMap<u64, (f32, f32)>,
}

impl Ruler {
    pub fn new(theme: Theme) -> Self {
        Self {
            theme,
            sizes: HashMap::new(),
        }
    }

    pub const fn theme(&self) -> &Theme {
        &self.theme
    }

    /// Measures width and height of `text` in whole pixels, wrapped at `width`.
    pub fn measure(&mut self, text: &str, style: &TextStyle, width: Option<f32>) -> (f32, f32) {
        // The key is a hash, so that a look-up needs no copy of the text.
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        style.size.to_bits().hash(&mut hasher);
        style.weight.hash(&mut hasher);
        style.flow.hash(&mut hasher);
        style.max_lines.hash(&mut hasher);
        style.line_height.map(f32::to_bits).hash(&mut hasher);
        width.map(f32::to_bits).hash(&mut hasher);
        let key = hasher.finish();
        if let Some(size) = self.sizes.get(&key) {
            return *size;
        }
        if self.sizes.len() >= MAX {
            self.sizes.clear();
        }
        let (w, h) = measure(text, style, width);
        let size = (w.ceil(), h.ceil());
        self.sizes.insert(key, size);
        size
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use draw::TextRole;
    use sim_format::style::ColorRole;
    use sim_format::widget::TextLook;

    #[test]
    fn measurements_are_cached_up_to_a_limit() {
        let mut ruler = Ruler::new(Theme::light(1.0));
        let style = TextLook::new(TextRole::BodyLarge, ColorRole::Text).style(&ruler.theme);
        for turn in 0..MAX + 10 {
            let text = format!("Clicked {turn} times");
            let first = ruler.measure(&text, &style, None);
            assert_eq!(ruler.measure(&text, &style, None), first);
        }
        assert_eq!(ruler.sizes.len(), 10);
    }
}
