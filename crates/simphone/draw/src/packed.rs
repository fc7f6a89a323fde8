//! Fonts that are packed in the binary, each in two parts: what measuring needs, and the outlines.
//!
//! Text is measured long before it is drawn, and most text never is. The outlines are nearly all of a font, so they are
//! unpacked when the first picture is made. `assets/fonts/pack.py` says how they are laid out.

use ttf_parser::{Face, RawFaceTables, Tag};

/// What measuring needs of a font.
#[derive(Clone, Copy, Debug)]
pub(super) enum Metrics {
    /// As it is: every screen needs it.
    Plain(&'static [u8]),
    /// To be unpacked quickly: first screens of built-in apps need it.
    Deflate(&'static [u8]),
    /// To be unpacked.
    Lzma(&'static [u8]),
}

/// The two parts of a packed font.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packed {
    pub(super) metrics: Metrics,
    pub(super) outlines: &'static [u8],
}

/// Unpacks a part of a font; it stays for as long as the program runs.
fn unpack(mut packed: &[u8]) -> Option<&'static [u8]> {
    let mut bytes = Vec::new();
    lzma_rs::lzma_decompress(&mut packed, &mut bytes).ok()?;
    Some(bytes.leak())
}

impl Packed {
    /// The font without its outlines.
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

    /// The whole font, of which `measured` is the one part.
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

/// What glyphs are made of, values of one kind beside each other.
struct Streams<'a> {
    lengths: &'a [u8],
    contours: &'a [u8],
    points: &'a [u8],
    flags: &'a [u8],
    across: &'a [u8],
    up: &'a [u8],
    composites: &'a [u8],
}

/// Bits of a point's flag: a step of one byte, and a step that is not written or, if it has one byte, goes up.
const ACROSS: (u8, u8) = (0x02, 0x10);
const UP: (u8, u8) = (0x04, 0x20);

/// The next bytes of a stream.
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
    /// The tables `glyf` and `loca`.
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

    /// Adds a glyph of so many contours.
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

/// Adds the steps of a glyph's points in one direction; how far they reach.
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
