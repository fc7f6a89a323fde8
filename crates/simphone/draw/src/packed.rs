//! Unpacks the compressed fonts of the binary, each in two parts: metrics and outlines.
//!
//! Most text is measured but never drawn, and outlines are most of a font's size, so they are unpacked only when text is
//! first drawn. `assets/fonts/pack.py` describes the format.

use ttf_parser::{Face, RawFaceTables, Tag};

/// The metrics of a font: all tables but the outlines.
#[derive(Clone, Copy, Debug)]
pub(super) enum Metrics {
    /// Uncompressed: every screen needs it.
    Plain(&'static [u8]),
    /// Deflate, which is fast: first screens of built-in apps need it.
    Deflate(&'static [u8]),
    Lzma(&'static [u8]),
}

/// The two parts of a packed font.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedFont {
    pub(super) metrics: Metrics,
    pub(super) outlines: &'static [u8],
}

/// Unpacks a part of a font and leaks it.
fn unpack(mut packed: &[u8]) -> Option<&'static [u8]> {
    let mut bytes = Vec::new();
    lzma_rs::lzma_decompress(&mut packed, &mut bytes).ok()?;
    Some(bytes.leak())
}

impl PackedFont {
    /// Returns the font without its outlines.
    pub(super) fn measured(self) -> Option<Face<'static>> {
        let metrics = match self.metrics {
            Metrics::Plain(bytes) => bytes,
            Metrics::Lzma(packed) => unpack(packed)?,
            Metrics::Deflate(packed) => {
                miniz_oxide::inflate::decompress_to_vec(packed).ok()?.leak()
            }
        };
        Face::parse(metrics, 0).ok()
    }

    /// Returns the whole font, with the tables of `measured`.
    pub(super) fn drawn(self, measured: &Face<'static>) -> Option<Face<'static>> {
        let mut bytes = unpack(self.outlines)?;
        let mut stream = || {
            let (length, rest) = bytes.split_first_chunk()?;
            let (stream, rest) = rest.split_at_checked(u32::from_be_bytes(*length) as usize)?;
            bytes = rest;
            Some(stream)
        };
        let streams = Streams {
            lengths: stream()?,
            contours: stream()?,
            points: stream()?,
            flags: stream()?,
            across: stream()?,
            up: stream()?,
            composites: stream()?,
        };
        let (colr, cpal) = (stream()?, stream()?);
        let (glyf, loca) = streams.glyphs()?;
        let own = |name: &[u8; 4]| measured.raw_face().table(Tag::from_bytes(name));
        Face::from_raw_tables(RawFaceTables {
            head: own(b"head")?,
            hhea: own(b"hhea")?,
            maxp: own(b"maxp")?,
            cmap: own(b"cmap"),
            hmtx: own(b"hmtx"),
            gdef: own(b"GDEF"),
            gpos: own(b"GPOS"),
            gsub: own(b"GSUB"),
            glyf: Some(glyf.leak()),
            loca: Some(loca.leak()),
            colr: Some(colr).filter(|table| !table.is_empty()),
            cpal: Some(cpal).filter(|table| !table.is_empty()),
            ..RawFaceTables::default()
        })
        .ok()
    }
}

/// The streams of the outlines, one for each kind of value.
struct Streams<'a> {
    lengths: &'a [u8],
    contours: &'a [u8],
    points: &'a [u8],
    flags: &'a [u8],
    across: &'a [u8],
    up: &'a [u8],
    composites: &'a [u8],
}

/// Bits of a point's flag in each direction: the delta has one byte; the delta is omitted or, if it has one byte, positive.
const ACROSS: (u8, u8) = (0x02, 0x10);
const UP: (u8, u8) = (0x04, 0x20);

fn take<'a>(stream: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = stream.split_at_checked(count)?;
    *stream = rest;
    Some(taken)
}

fn take_u16(stream: &mut &[u8]) -> Option<u16> {
    let (taken, rest) = stream.split_first_chunk()?;
    *stream = rest;
    Some(u16::from_be_bytes(*taken))
}

impl Streams<'_> {
    /// Builds the tables `glyf` and `loca`.
    fn glyphs(mut self) -> Option<(Vec<u8>, Vec<u8>)> {
        let mut glyf = Vec::with_capacity(2 * (self.flags.len() + self.composites.len()));
        let mut loca = Vec::with_capacity(2 * self.contours.len() + 4);
        while let Some(count) = take_u16(&mut self.contours) {
            loca.extend_from_slice(&u32::try_from(glyf.len()).ok()?.to_be_bytes());
            if count.cast_signed() < 0 {
                let length = take_u16(&mut self.lengths)?;
                glyf.extend_from_slice(take(&mut self.composites, length.into())?);
            } else if count > 0 {
                self.simple(count, &mut glyf)?;
            }
        }
        loca.extend_from_slice(&u32::try_from(glyf.len()).ok()?.to_be_bytes());
        Some((glyf, loca))
    }

    /// Adds a simple glyph with this number of contours.
    fn simple(&mut self, count: u16, glyf: &mut Vec<u8>) -> Option<()> {
        glyf.extend_from_slice(&count.to_be_bytes());
        let extent = glyf.len();
        glyf.extend_from_slice(&[0; 8]);
        let mut points = 0_u16;
        for _ in 0..count {
            points = points.checked_add(take_u16(&mut self.points)?)?;
            glyf.extend_from_slice(&points.checked_sub(1)?.to_be_bytes());
        }
        // No instructions.
        glyf.extend_from_slice(&[0, 0]);
        let flags = take(&mut self.flags, points.into())?;
        glyf.extend_from_slice(flags);
        let (left, right) = steps(&mut self.across, flags, ACROSS, glyf)?;
        let (low, high) = steps(&mut self.up, flags, UP, glyf)?;
        let sides = [left, low, right, high]
            .into_iter()
            .flat_map(i16::to_be_bytes);
        for (place, byte) in glyf.iter_mut().skip(extent).zip(sides) {
            *place = byte;
        }
        Some(())
    }
}

/// Copies the deltas of a glyph's points in one direction and returns the extent.
fn steps(
    stream: &mut &[u8],
    flags: &[u8],
    (short, same): (u8, u8),
    glyf: &mut Vec<u8>,
) -> Option<(i16, i16)> {
    let mut place = 0_i16;
    let mut reach: Option<(i16, i16)> = None;
    for flag in flags {
        let length = match (flag & short != 0, flag & same != 0) {
            (true, _) => 1,
            (false, true) => 0,
            (false, false) => 2,
        };
        let bytes = take(stream, length)?;
        glyf.extend_from_slice(bytes);
        let step = match *bytes {
            [step] if flag & same != 0 => i16::from(step),
            [step] => -i16::from(step),
            [high, low] => i16::from_be_bytes([high, low]),
            _ => 0,
        };
        place = place.wrapping_add(step);
        let (low, high) = reach.unwrap_or((place, place));
        reach = Some((low.min(place), high.max(place)));
    }
    reach.or(Some((0, 0)))
}
