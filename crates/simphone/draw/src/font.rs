//! The embedded fonts: glyph lookup, advance widths, kerning and outlines.
//!
//! The metrics of the two fonts that every screen uses are in the binary uncompressed. Everything else is packed and
//! unpacked once, on first use.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use tiny_skia::{Path, PathBuilder};
use ttf_parser::gpos::{PairAdjustment, PositioningSubtable};
use ttf_parser::{Face, GlyphId, OutlineBuilder, Tag};

use super::packed::{Metrics, PackedFont};
use super::script::{self, Script};
use super::text_style::Weight;

/// Kerning of pairs of glyphs with ids below this is cached.
const PAIRED: u16 = 128;

/// Cached kerning values are stored with all bits inverted, so that 0 means "not cached": no value that occurs has all
/// bits set.
const INVERTED: u32 = 0xffff_ffff;

/// The glyphs of characters below this are cached.
const COMMON: usize = 0x250;

/// A font that is read on first use. It is boxed so that its initial bytes do not enlarge the binary.
type LazyFont = OnceLock<Option<Box<Font>>>;

struct Fonts {
    regular: LazyFont,
    medium: LazyFont,
    bold: LazyFont,
    arabic: LazyFont,
    hebrew: LazyFont,
    devanagari: LazyFont,
    thai: LazyFont,
    han: LazyFont,
    hangul: LazyFont,
    emoji: LazyFont,
    symbols: LazyFont,
}

static FONTS: Fonts = Fonts {
    regular: LazyFont::new(),
    medium: LazyFont::new(),
    bold: LazyFont::new(),
    arabic: LazyFont::new(),
    hebrew: LazyFont::new(),
    devanagari: LazyFont::new(),
    thai: LazyFont::new(),
    han: LazyFont::new(),
    hangul: LazyFont::new(),
    emoji: LazyFont::new(),
    symbols: LazyFont::new(),
};

pub(super) struct Font {
    /// The font without outlines.
    face: Face<'static>,
    packed: PackedFont,
    drawn: OnceLock<Option<Face<'static>>>,
    pub(super) per_em: f32,
    kerning: Vec<PairAdjustment<'static>>,
    /// Cached kerning of the most frequent pairs.
    pairs: OnceLock<Box<[AtomicU32]>>,
    common: Vec<Option<GlyphId>>,
    /// The shaper, created on first use.
    shaper: OnceLock<rustybuzz::Face<'static>>,
    /// The shaper for characters whose positions depend on outlines.
    whole_shaper: OnceLock<rustybuzz::Face<'static>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Source {
    Text(Weight),
    /// The font of a script; it has one weight, others are synthesised with thicker strokes.
    Script(Script, Weight),
    Symbols,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Glyph {
    Drawn {
        source: Source,
        id: u16,
    },
    /// A character that no font has, shown as a box.
    Missing {
        /// Whether the box is a full square, as wide as Chinese characters and emoji.
        wide: bool,
    },
    /// A blank as wide as a full square.
    WideSpace,
    /// A character of zero width.
    Nothing,
}

/// Ascent and descent in units of the font size.
pub(super) const ASCENT: f32 = 1900.0 / 2048.0;
pub(super) const DESCENT: f32 = 500.0 / 2048.0;

pub(super) fn glyph(character: char, weight: Weight) -> Glyph {
    if is_invisible(character) {
        return Glyph::Nothing;
    }
    if character == '\u{3000}' {
        return Glyph::WideSpace;
    }
    // A tab is as wide as a space: a label has no tab stops.
    let character = if character == '\t' { ' ' } else { character };
    for source in chain(character, weight).into_iter().flatten() {
        if let Some(id) = font(source).and_then(|font| font.glyph(character)) {
            return Glyph::Drawn { source, id: id.0 };
        }
    }
    Glyph::Missing {
        wide: is_wide(character),
    }
}

/// Returns the fonts that may have a character, in order of preference.
pub(super) fn chain(character: char, weight: Weight) -> [Option<Source>; 4] {
    let text = Some(Source::Text(weight));
    if u32::from(character) < 0x590 {
        // The text fonts have nearly all of these.
        return [text, Some(Source::Symbols), None, None];
    }
    let emoji =
        script::may_be_emoji(character).then_some(Source::Script(Script::Emoji, Weight::Regular));
    let own = Script::of_character(character).map(|script| Source::Script(script, weight));
    if script::prefers_emoji(character) {
        [emoji, text, own, Some(Source::Symbols)]
    } else {
        [text, own, Some(Source::Symbols), emoji]
    }
}

/// Returns the advance width of a glyph in units of the font size.
pub(super) fn advance(glyph: Glyph) -> f32 {
    match glyph {
        Glyph::Drawn { source, id } => font(source).map_or(0.0, |font| {
            f32::from(font.face.glyph_hor_advance(GlyphId(id)).unwrap_or(0)) / font.per_em
        }),
        Glyph::Missing { wide: true } | Glyph::WideSpace => 1.0,
        Glyph::Missing { wide: false } => 0.6,
        Glyph::Nothing => 0.0,
    }
}

/// Returns the kerning of two neighbours (negative is closer) in units of the font size.
pub(super) fn kerning(left: Glyph, right: Glyph) -> f32 {
    match (left, right) {
        (
            Glyph::Drawn { source, id: left },
            Glyph::Drawn {
                source: other,
                id: right,
            },
        ) if source == other => {
            font(source).map_or(0.0, |font| font.kerning(GlyphId(left), GlyphId(right)))
        }
        _ => 0.0,
    }
}

/// Returns the extra stroke width that synthesises a weight, in units of the font size: script fonts have one weight.
pub(super) const fn thickening(glyph: Glyph) -> f32 {
    match glyph {
        Glyph::Drawn {
            source: Source::Script(script, weight),
            ..
        } => match (script, weight) {
            (Script::Emoji, _) | (_, Weight::Regular) => 0.0,
            (_, Weight::Medium) => 0.018,
            (_, Weight::Bold) => 0.04,
        },
        Glyph::Drawn { .. } | Glyph::Missing { .. } | Glyph::WideSpace | Glyph::Nothing => 0.0,
    }
}

/// Returns a glyph's outline at a font size in pixels, with the baseline at y = 0 and y growing downwards.
pub(super) fn outline(glyph: Glyph, size: f32) -> Option<Path> {
    let mut pen = Pen {
        path: PathBuilder::new(),
        scale: size,
    };
    match glyph {
        Glyph::Drawn { source, id } => {
            if let Some(font) = font(source) {
                pen.scale = size / font.per_em;
                // `None` for a glyph without an outline, such as a space.
                let _: Option<ttf_parser::Rect> = font.drawn().outline_glyph(GlyphId(id), &mut pen);
            }
        }
        Glyph::Missing { .. } => missing_box(&mut pen, advance(glyph)),
        Glyph::WideSpace | Glyph::Nothing => {}
    }
    pen.path.finish()
}

/// Draws a hollow box with a margin, within `width`.
fn missing_box(pen: &mut Pen, width: f32) {
    let (left, right, low, high, line) = (0.08, width - 0.08, -0.08, 0.76, 0.06);
    pen.move_to(left, low);
    pen.line_to(left, high);
    pen.line_to(right, high);
    pen.line_to(right, low);
    pen.close();
    pen.move_to(left + line, low + line);
    pen.line_to(right - line, low + line);
    pen.line_to(right - line, high - line);
    pen.line_to(left + line, high - line);
    pen.close();
}

/// Loads a font from the assets; the last argument is the suffix of its metrics file.
macro_rules! font {
    ($slot:ident, $name:literal, $metrics:path, $end:literal) => {
        FONTS
            .$slot
            .get_or_init(|| {
                Font::packed(PackedFont {
                    metrics: $metrics(include_bytes!(concat!("../assets/fonts/", $name, $end))),
                    outlines: include_bytes!(concat!("../assets/fonts/", $name, ".outlines.lzma")),
                })
            })
            .as_deref()
    };
    ($slot:ident, $name:literal) => {
        font!($slot, $name, Metrics::Lzma, ".metrics.lzma")
    };
    ($slot:ident, $name:literal, quick) => {
        font!($slot, $name, Metrics::Deflate, ".metrics.deflate")
    };
}

pub(super) fn font(source: Source) -> Option<&'static Font> {
    match source {
        Source::Text(Weight::Regular) => {
            font!(regular, "Roboto-Regular", Metrics::Plain, ".metrics.ttf")
        }
        Source::Text(Weight::Medium) => {
            font!(medium, "Roboto-Medium", Metrics::Plain, ".metrics.ttf")
        }
        Source::Text(Weight::Bold) => font!(bold, "Roboto-Bold", quick),
        Source::Script(script, _) => of_script(script),
        Source::Symbols => font!(symbols, "NotoSansSymbols"),
    }
}

fn of_script(script: Script) -> Option<&'static Font> {
    match script {
        Script::Arabic => font!(arabic, "NotoSansArabic", quick),
        Script::Hebrew => font!(hebrew, "NotoSansHebrew"),
        Script::Devanagari => font!(devanagari, "NotoSansDevanagari"),
        Script::Thai => font!(thai, "NotoSansThai"),
        Script::Han => font!(han, "DroidSansFallback", quick),
        Script::Hangul => font!(hangul, "KoreanSans"),
        Script::Emoji => font!(emoji, "TwemojiMozilla", quick),
    }
}

impl Font {
    fn packed(packed: PackedFont) -> Option<Box<Self>> {
        let face = packed.measured()?;
        let common = (0..COMMON as u32)
            .map(|code| char::from_u32(code).and_then(|character| face.glyph_index(character)))
            .collect();
        Some(Box::new(Self {
            per_em: f32::from(face.units_per_em()),
            kerning: kerning_tables(&face),
            pairs: OnceLock::new(),
            common,
            face,
            packed,
            drawn: OnceLock::new(),
            shaper: OnceLock::new(),
            whole_shaper: OnceLock::new(),
        }))
    }

    pub(super) fn drawn(&self) -> &Face<'static> {
        let unpack = || self.packed.drawn(&self.face);
        self.drawn
            .get_or_init(unpack)
            .as_ref()
            .unwrap_or(&self.face)
    }

    /// Returns the shaper for these characters. Marks are placed by the font's rules or, if it has none, by the outline of
    /// the base glyph.
    pub(super) fn shaper(
        &self,
        mut letters: impl Iterator<Item = char>,
    ) -> &rustybuzz::Face<'static> {
        let stacks = |letter| !is_invisible(letter) && !script::never_combines(letter);
        if self.face.tables().gpos.is_none() && letters.any(stacks) {
            let make = || rustybuzz::Face::from_face(self.drawn().clone());
            return self.whole_shaper.get_or_init(make);
        }
        self.shaper
            .get_or_init(|| rustybuzz::Face::from_face(self.face.clone()))
    }

    pub(super) fn glyph(&self, character: char) -> Option<GlyphId> {
        match self.common.get(character as usize) {
            Some(known) => *known,
            None => self.face.glyph_index(character),
        }
    }

    /// Returns the kerning of a pair in font units; frequent pairs are cached, because searching the font's tables took a
    /// tenth of the time of an observation.
    fn kerning(&self, left: GlyphId, right: GlyphId) -> f32 {
        let place = (left.0 < PAIRED && right.0 < PAIRED)
            .then(|| usize::from(left.0) * usize::from(PAIRED) + usize::from(right.0));
        let pairs = || {
            (0..usize::from(PAIRED).pow(2))
                .map(|_| AtomicU32::new(0))
                .collect()
        };
        let Some(pair) = place.and_then(|place| self.pairs.get_or_init(pairs).get(place)) else {
            return self.searched_kerning(left, right);
        };
        match pair.load(Ordering::Relaxed) {
            0 => {
                let found = self.searched_kerning(left, right);
                pair.store(found.to_bits() ^ INVERTED, Ordering::Relaxed);
                found
            }
            known => f32::from_bits(known ^ INVERTED),
        }
    }

    fn searched_kerning(&self, left: GlyphId, right: GlyphId) -> f32 {
        for table in &self.kerning {
            let Some(index) = table.coverage().get(left) else {
                continue;
            };
            let found = match table {
                PairAdjustment::Format1 { sets, .. } => {
                    sets.get(index).and_then(|set| set.get(right))
                }
                PairAdjustment::Format2 {
                    classes, matrix, ..
                } => matrix.get((classes.0.get(left), classes.1.get(right))),
            };
            if let Some((first, _)) = found {
                return f32::from(first.x_advance) / self.per_em;
            }
        }
        0.0
    }
}

/// Returns the pair tables of the font's `kern` feature.
fn kerning_tables(face: &Face<'static>) -> Vec<PairAdjustment<'static>> {
    let Some(table) = face.tables().gpos else {
        return Vec::new();
    };
    let mut numbers: Vec<u16> = (table.features.into_iter())
        .filter(|feature| feature.tag == Tag::from_bytes(b"kern"))
        .flat_map(|feature| feature.lookup_indices)
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
        .into_iter()
        .filter_map(|number| table.lookups.get(number))
        .flat_map(|lookup| lookup.subtables.into_iter::<PositioningSubtable<'static>>())
        .filter_map(|subtable| match subtable {
            PositioningSubtable::Pair(pairs) => Some(pairs),
            _ => None,
        })
        .collect()
}

/// Whether a character is an invisible control or format character.
pub(super) fn is_invisible(character: char) -> bool {
    match character {
        '\t' => false,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{feff}' => true,
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}' => true,
        '\u{1f3fb}'..='\u{1f3ff}' => true,
        '\u{2028}' | '\u{2029}' => true,
        _ => character.is_control(),
    }
}

/// Whether a character is full-width: Chinese, Japanese, Korean, full-width forms, emoji.
pub(super) fn is_wide(character: char) -> bool {
    matches!(u32::from(character),
        0x1100..=0x115f | 0x2e80..=0x303e | 0x3041..=0xa4cf | 0xac00..=0xd7a3
        | 0xf900..=0xfaff | 0xfe30..=0xfe4f | 0xff00..=0xff60 | 0xffe0..=0xffe6
        | 0x1f300..=0x1faff | 0x20000..=0x3fffd)
}

/// Scales a font's outline and flips it, because pixel rows count downwards.
struct Pen {
    path: PathBuilder,
    scale: f32,
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(x * self.scale, -y * self.scale);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(x * self.scale, -y * self.scale);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let scale = self.scale;
        self.path
            .quad_to(x1 * scale, -y1 * scale, x * scale, -y * scale);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let scale = self.scale;
        let (x1, y1, x2, y2) = (x1 * scale, -y1 * scale, x2 * scale, -y2 * scale);
        self.path.cubic_to(x1, y1, x2, y2, x * scale, -y * scale);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_font_loads() {
        for source in [
            Source::Text(Weight::Regular),
            Source::Text(Weight::Medium),
            Source::Text(Weight::Bold),
            Source::Symbols,
            Source::Script(Script::Arabic, Weight::Regular),
            Source::Script(Script::Hebrew, Weight::Regular),
            Source::Script(Script::Devanagari, Weight::Regular),
            Source::Script(Script::Thai, Weight::Regular),
            Source::Script(Script::Han, Weight::Regular),
            Source::Script(Script::Hangul, Weight::Regular),
            Source::Script(Script::Emoji, Weight::Regular),
        ] {
            assert!(font(source).is_some(), "{source:?}");
        }
    }

    #[test]
    fn letters_and_symbols_have_glyphs() {
        let text = "AZaz09 äßéçñøåőşžł ΑΩαω АЯаяёЇґ Ắạ •…₂€₽₹£¥°№™“”‘’–—";
        let signs = "←↑→↓★☆✓✗☐☑⋮●○■▲▼♥♪⌫⌘①⚠";
        for weight in [Weight::Regular, Weight::Medium, Weight::Bold] {
            for character in text.chars() {
                let found = glyph(character, weight);
                assert!(
                    matches!(found, Glyph::Drawn { source: Source::Text(w), .. } if w == weight),
                    "{character}: {found:?}"
                );
            }
            for character in signs.chars() {
                assert!(
                    matches!(glyph(character, weight), Glyph::Drawn { .. }),
                    "{character}"
                );
            }
        }
    }

    #[test]
    fn missing_characters_become_boxes() {
        for (character, expected) in [
            ('\u{9fff}', Glyph::Missing { wide: true }),
            ('\u{d7a3}', Glyph::Missing { wide: true }),
            ('\u{1faff}', Glyph::Missing { wide: true }),
            ('\u{10900}', Glyph::Missing { wide: false }),
            ('\u{e000}', Glyph::Missing { wide: false }),
            ('\u{3000}', Glyph::WideSpace),
            ('\u{200d}', Glyph::Nothing),
            ('\u{fe0f}', Glyph::Nothing),
            ('\u{7}', Glyph::Nothing),
        ] {
            assert_eq!(glyph(character, Weight::Regular), expected, "{character:?}");
        }
        assert!(outline(Glyph::Missing { wide: true }, 40.0).is_some());
    }

    #[test]
    fn kerning_is_applied_to_pairs() {
        let of = |character| glyph(character, Weight::Regular);
        assert!(kerning(of('A'), of('V')) < -0.01);
        assert!(kerning(of('T'), of('o')) < -0.01);
        assert_eq!(kerning(of('H'), of('H')), 0.0);
        assert_eq!(kerning(of('A'), of('漢')), 0.0);
    }
}
