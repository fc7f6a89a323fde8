//! Splits a paragraph into items for line layout: glyphs, widths and break opportunities.
//!
//! Plain scripts have one glyph for each character. Other text is split into graphemes and shaped in runs of one font
//! and direction, which joins letters, stacks marks and combines emoji sequences. An item is never split between lines
//! or by an ellipsis.

use unicode_bidi::{BidiInfo, Direction as Base, Level, get_base_direction};
use unicode_segmentation::UnicodeSegmentation;

use super::font::{self, Glyph, Source, advance, kerning};
use super::script::{self, Script};
use super::text_style::{Flow, TextStyle};

#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// The glyph; [`Glyph::Nothing`] when the item consists of pieces.
    pub(super) glyph: Glyph,
    /// Index of the first piece, and the number of pieces.
    pub(super) pieces: (u32, u32),
    pub(super) advance: f32,
    /// Kerning with the previous item; ignored at the start of a line.
    pub(super) kern: f32,
    /// Whether the item is a blank, which may hang over the end of a line.
    pub(super) blank: bool,
    /// Whether a line may end after it.
    pub(super) break_after: bool,
    /// The bidi embedding level: odd levels run from right to left.
    pub(super) level: u8,
}

/// A glyph of an item and its offset from the item's left end on the baseline.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShapedGlyph {
    pub(super) glyph: Glyph,
    pub(super) x: f32,
    pub(super) y: f32,
}

#[derive(Debug, Default)]
pub(super) struct Items {
    pub(super) items: Vec<Item>,
    pub(super) pieces: Vec<ShapedGlyph>,
    /// The bidi level of the paragraph.
    pub(super) base: u8,
}

impl Items {
    /// Returns the number of items before a line's trailing blanks, and the level of each item. Trailing blanks get the
    /// paragraph's level, so that they stay at the end of the line.
    pub(super) fn line_levels(&self, line: &[Item]) -> (usize, Vec<Level>) {
        let inked = line.iter().rposition(|item| !item.blank);
        let inked = inked.map_or(0, |last| last + 1);
        let levels = line
            .iter()
            .enumerate()
            .map(|(at, item)| if at < inked { item.level } else { self.base })
            .map(|level| Level::new(level).unwrap_or_else(|_| Level::ltr()))
            .collect();
        (inked, levels)
    }
}

/// The style and font size that determine glyph positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letters<'a> {
    pub(super) style: &'a TextStyle,
    pub(super) size: f32,
}

impl Letters<'_> {
    pub(super) fn items(&self, paragraph: &str) -> Items {
        let neutral = || get_base_direction(paragraph) == Base::Mixed;
        let plain =
            script::all_plain(paragraph) && (self.style.flow == Flow::LeftToRight || !neutral());
        if plain {
            self.plain(paragraph)
        } else {
            self.shaped(paragraph)
        }
    }

    pub(super) fn item(&self, character: char, before: Option<&Item>, after: Option<char>) -> Item {
        let glyph = font::glyph(character, self.style.weight);
        Item {
            glyph,
            pieces: (0, 0),
            advance: advance(glyph) * self.size,
            kern: before.map_or(0.0, |before| kerning(before.glyph, glyph) * self.size),
            blank: is_blank(character),
            break_after: may_break(character, after),
            level: 0,
        }
    }

    fn plain(&self, paragraph: &str) -> Items {
        let mut items: Vec<Item> = Vec::with_capacity(paragraph.len());
        let mut characters = paragraph.chars().peekable();
        while let Some(character) = characters.next() {
            let item = self.item(character, items.last(), characters.peek().copied());
            items.push(item);
        }
        if !paragraph.is_ascii() && paragraph.chars().any(font::is_wide) {
            breaks(
                paragraph,
                paragraph.char_indices().map(|(at, _)| at),
                &mut items,
            );
        }
        Items {
            items,
            ..Items::default()
        }
    }

    fn shaped(&self, paragraph: &str) -> Items {
        let base = match (get_base_direction(paragraph), self.style.flow) {
            (Base::Mixed, Flow::RightToLeft) => Some(Level::rtl()),
            (Base::Mixed | Base::Ltr | Base::Rtl, _) => None,
        };
        let bidi = BidiInfo::new(paragraph, base);
        let mut made = Items {
            base: (bidi.paragraphs.first()).map_or(0, |paragraph| paragraph.level.number()),
            ..Items::default()
        };
        let clusters: Vec<Cluster<'_>> = paragraph
            .grapheme_indices(true)
            .map(|(at, text)| Cluster {
                at,
                text,
                face: self.face(text),
                level: bidi.levels.get(at).map_or(0, |level| level.number()),
            })
            .collect();
        let mut rest = clusters.as_slice();
        while let Some(first) = rest.first() {
            let same = rest
                .iter()
                .take_while(|each| each.face == first.face && each.level == first.level)
                .count();
            let (run, following) = rest.split_at(same.max(1));
            match first.face {
                Face::Shaped(source) => self.shape(run, source, &mut made),
                Face::Plain(_) | Face::None => self.run_of_plain(run, &mut made),
            }
            rest = following;
        }
        let starts = clusters.iter().map(|cluster| cluster.at);
        breaks(paragraph, starts, &mut made.items);
        made
    }

    /// Selects the font of a grapheme, and whether it needs shaping.
    fn face(&self, text: &str) -> Face {
        let mut characters = text.chars();
        let Some(first) = characters.next() else {
            return Face::None;
        };
        let alone = characters.next().is_none();
        let weight = self.style.weight;
        if alone && script::is_plain(first) {
            return match font::glyph(first, weight) {
                Glyph::Drawn { source, .. } => Face::Plain(source),
                Glyph::Missing { .. } | Glyph::WideSpace | Glyph::Nothing => Face::None,
            };
        }
        let emoji = Source::Script(Script::Emoji, weight_of_emoji());
        let in_colour = text.contains(['\u{fe0f}', '\u{20e3}', '\u{200d}'])
            && has_all(emoji, &without_selectors(text));
        let plain_text = text.contains('\u{fe0e}');
        let sources = [in_colour.then_some(emoji)]
            .into_iter()
            .chain(font::chain(first, weight))
            .flatten()
            .filter(|source| !(plain_text && *source == emoji));
        let mut partly = None;
        for source in sources {
            if has_all(source, text) {
                return Face::Shaped(source);
            }
            let has_first = font::font(source).is_some_and(|font| font.glyph(first).is_some());
            if partly.is_none() && has_first {
                partly = Some(source);
            }
        }
        partly.map_or(Face::None, Face::Shaped)
    }

    /// Adds items for graphemes that need no shaping, or that no font has.
    fn run_of_plain(&self, run: &[Cluster<'_>], made: &mut Items) {
        let mut before: Option<Item> = None;
        for cluster in run {
            let character = cluster.text.chars().next().unwrap_or(' ');
            let mut item = self.item(
                mirrored(character, cluster.level),
                before.as_ref().filter(|_| cluster.level.is_multiple_of(2)),
                None,
            );
            item.level = cluster.level;
            item.break_after = false;
            before = Some(item);
            made.items.push(item);
        }
    }

    /// Adds items for graphemes of one font and direction.
    fn shape(&self, run: &[Cluster<'_>], source: Source, made: &mut Items) {
        let Some(font) = font::font(source) else {
            return self.run_of_plain(run, made);
        };
        let emoji = matches!(source, Source::Script(Script::Emoji, _));
        let mut buffer = rustybuzz::UnicodeBuffer::new();
        for (index, cluster) in run.iter().enumerate() {
            for character in cluster.text.chars() {
                // Invisible characters that the font lacks, such as skin tones, are left out.
                if font.glyph(character).is_some() || !font::is_invisible(character) {
                    buffer.add(character, u32::try_from(index).unwrap_or(u32::MAX));
                }
            }
        }
        let level = run.first().map_or(0, |cluster| cluster.level);
        buffer.guess_segment_properties();
        buffer.set_direction(if level.is_multiple_of(2) {
            rustybuzz::Direction::LeftToRight
        } else {
            rustybuzz::Direction::RightToLeft
        });
        let letters = run.iter().flat_map(|cluster| cluster.text.chars());
        let shaped = rustybuzz::shape(font.shaper(letters), &[], buffer);
        let scale = self.size / font.per_em;
        let start = made.items.len();
        for cluster in run {
            made.items.push(Item {
                glyph: Glyph::Nothing,
                pieces: (0, 0),
                advance: 0.0,
                kern: 0.0,
                blank: cluster.text.chars().all(is_blank),
                break_after: false,
                level: cluster.level,
            });
        }
        let glyphs = shaped.glyph_infos().iter().zip(shaped.glyph_positions());
        for (info, position) in glyphs {
            let first = u32::try_from(made.pieces.len()).unwrap_or(u32::MAX);
            let Some(item) = made.items.get_mut(start + info.cluster as usize) else {
                continue;
            };
            let id = u16::try_from(info.glyph_id).unwrap_or(0);
            let glyph = if id == 0 {
                Glyph::Missing { wide: emoji }
            } else {
                Glyph::Drawn { source, id }
            };
            if item.pieces.1 == 0 {
                item.pieces.0 = first;
            }
            item.pieces.1 += 1;
            made.pieces.push(ShapedGlyph {
                glyph,
                x: item.advance + position.x_offset as f32 * scale,
                y: -position.y_offset as f32 * scale,
            });
            item.advance += position.x_advance as f32 * scale;
        }
    }
}

struct Cluster<'a> {
    at: usize,
    text: &'a str,
    face: Face,
    level: u8,
}

/// How the glyphs of a grapheme are found.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Face {
    Plain(Source),
    Shaped(Source),
    /// No font: a box, a space or nothing.
    None,
}

/// The only weight of emoji.
const fn weight_of_emoji() -> super::text_style::Weight {
    super::text_style::Weight::Regular
}

const fn is_selector(character: char) -> bool {
    matches!(character, '\u{fe0e}' | '\u{fe0f}')
}

fn without_selectors(text: &str) -> String {
    text.chars().filter(|c| !is_selector(*c)).collect()
}

/// Whether a font has a glyph for every visible character of a text.
fn has_all(source: Source, text: &str) -> bool {
    font::font(source).is_some_and(|font| {
        text.chars()
            .all(|c| is_selector(c) || font.glyph(c).is_some() || font::is_invisible(c))
    })
}

/// Returns the mirrored form of a character at a right-to-left level.
fn mirrored(character: char, level: u8) -> char {
    if level.is_multiple_of(2) {
        return character;
    }
    match character {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        '<' => '>',
        '>' => '<',
        '«' => '»',
        '»' => '«',
        '‹' => '›',
        '›' => '‹',
        '≤' => '≥',
        '≥' => '≤',
        '→' => '←',
        '←' => '→',
        other => other,
    }
}

/// Sets the break opportunities of items by Unicode's rules; `starts` are the items' first bytes.
fn breaks(paragraph: &str, starts: impl Iterator<Item = usize>, items: &mut [Item]) {
    let mut ends = unicode_linebreak::linebreaks(paragraph)
        .map(|(at, _)| at)
        .filter(|at| *at < paragraph.len())
        .peekable();
    // An item ends where the next one starts.
    let starts: Vec<usize> = starts.skip(1).collect();
    for (item, end) in items.iter_mut().zip(starts) {
        while ends.peek().is_some_and(|at| *at < end) {
            ends.next();
        }
        item.break_after = ends.peek() == Some(&end);
    }
    if let Some(last) = items.last_mut() {
        last.break_after = false;
    }
}

/// Whether a character is a blank at which a line may end.
fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\u{1680}' | '\u{2000}'..='\u{2006}' | '\u{2008}'..='\u{200a}' | '\u{205f}' | '\u{3000}')
}

/// Whether a line of a plain script may end between a character and the next one.
fn may_break(character: char, after: Option<char>) -> bool {
    let Some(after) = after else {
        return false;
    };
    match character {
        '\u{200b}' | '\u{ad}' => true,
        '-' | '–' | '—' | '‐' | '/' | '?' | '&' => after.is_alphabetic(),
        other => is_blank(other),
    }
}
