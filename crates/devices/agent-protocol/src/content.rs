//! The content of observations as bytes. An answer to `OBSERVE` has it whole, or as an edit of the content before it.

use std::collections::HashMap;

use crate::body::{BodyReader, BodyWriter, Decoded, TextTable};
use crate::capture::ScreenCapture;
use crate::decode_error::Problem;
use crate::frame::MAX_FRAME;

/// What an answer to `OBSERVE` has.
const WHOLE: u64 = 0;
const UNCHANGED: u64 = 1;
const EDITED: u64 = 2;

/// Shorter runs need about as many bytes as they save.
const MIN_RUN: usize = 6;

/// A client's copy of the last content that it received, which the next answer may edit.
#[derive(Debug, Default)]
pub struct ScreenCopy {
    revision: u64,
    content: Vec<u8>,
}

impl ScreenCopy {
    /// Its revision; 0 if there is none.
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// Decodes an answer to `OBSERVE`, whose content it keeps: its revision, and the screen unless it is unchanged.
    pub(crate) fn decode_answer(
        &mut self,
        body: &mut BodyReader<'_>,
    ) -> Decoded<(u64, Option<Box<ScreenCapture>>)> {
        let revision = body.uint("revision")?;
        let form = body.known("form of the content", |form| {
            (form <= EDITED).then_some(form)
        })?;
        if form == UNCHANGED {
            return Ok((revision, None));
        }
        let took_ms = body.uint("capture time")?;
        let content = match form {
            EDITED => self.edited(body)?,
            _ => body.rest().to_vec(),
        };
        let mut whole = BodyReader::new(&content);
        let screen = ScreenCapture::decode(&mut whole, took_ms)?;
        whole.finish()?;
        *self = Self { revision, content };
        Ok((revision, Some(Box::new(screen))))
    }

    /// The content after an edit.
    fn edited(&self, body: &mut BodyReader<'_>) -> Decoded<Vec<u8>> {
        let at = body.at();
        let base = body.uint("edited revision")?;
        if base == 0 || base != self.revision {
            let problem = Problem::Unknown(base);
            return Err(BodyReader::error("edited revision", at, problem));
        }
        apply(body, &self.content)
    }
}

/// Applies the parts of an edit to a content.
fn apply(body: &mut BodyReader<'_>, base: &[u8]) -> Decoded<Vec<u8>> {
    let mut content = Vec::new();
    let mut place = 0_usize;
    for _ in 0..body.count("number of parts", 3, MAX_FRAME)? {
        let at = body.at();
        let skipped = body.int("skipped bytes")?;
        let length = body.number::<usize>("copied bytes")?;
        let start = isize::try_from(skipped)
            .ok()
            .and_then(|skipped| place.checked_add_signed(skipped));
        let range = start.and_then(|start| Some(start..start.checked_add(length)?));
        let copied = range.and_then(|range| Some((base.get(range.clone())?, range.end)));
        let Some((copied, end)) = copied else {
            let problem = Problem::OutOfRange(skipped.into());
            return Err(BodyReader::error("copied bytes", at, problem));
        };
        place = end;
        let added = body.bytes("new bytes")?;
        let total = content.len() + copied.len() + added.len();
        if total > MAX_FRAME {
            let problem = Problem::OutOfRange(total as i128);
            return Err(BodyReader::error("length of the content", at, problem));
        }
        content.extend_from_slice(copied);
        content.extend_from_slice(added);
    }
    Ok(content)
}

/// The last content that an agent sent, which the next answer may edit.
#[derive(Debug, Default)]
pub struct SentContent {
    revision: u64,
    content: Option<Content>,
}

impl SentContent {
    /// The body of an answer to `OBSERVE`. The screen is another one if its revision is.
    pub fn answer(&mut self, screen: &ScreenCapture, revision: u64, known: u64) -> Vec<u8> {
        let mut body = BodyWriter::default();
        body.uint(revision);
        let before = self.content.take();
        let is_known = known == self.revision;
        let (content, edit) = match before {
            Some(same) if self.revision == revision => {
                if is_known {
                    body.uint(UNCHANGED);
                    self.content = Some(same);
                    return body.into_bytes();
                }
                (same, None)
            }
            Some(base) if is_known => match base.edit(screen) {
                Some((next, edit)) => (next, Some(edit)),
                None => (Content::encode(screen, TextTable::default()), None),
            },
            _ => (Content::encode(screen, TextTable::default()), None),
        };
        body.uint(if edit.is_some() { EDITED } else { WHOLE });
        body.uint(screen.took_ms);
        match edit {
            Some(edit) => {
                body.uint(known);
                body.array(&edit);
            }
            None => body.array(&content.bytes),
        }
        self.revision = revision;
        self.content = Some(content);
        body.into_bytes()
    }
}

/// An encoded screen.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) bytes: Vec<u8>,
    /// The end of each piece: the display, the number of texts, each text, the number of windows, each window and node, and the rest.
    ends: Vec<usize>,
    texts: TextTable,
}

/// Bytes of the content before that are part of the next one.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    /// Its beginning in the content before.
    from: usize,
    /// Its beginning in the next content.
    to: usize,
    length: usize,
}

impl Content {
    /// Encodes a screen with this string table, to which new texts are added.
    pub(crate) fn encode(screen: &ScreenCapture, mut texts: TextTable) -> Self {
        let mut windows = BodyWriter::default();
        screen.encode_windows(&mut windows, &mut texts);
        let mut body = BodyWriter::default();
        screen.encode_display(&mut body);
        body.end_piece();
        texts.encode(&mut body);
        body.append(windows);
        let (bytes, ends) = body.into_pieces();
        Self { bytes, ends, texts }
    }

    /// A screen as an edit of this content; `None` if it is better sent whole.
    fn edit(&self, screen: &ScreenCapture) -> Option<(Self, Vec<u8>)> {
        let next = Self::encode(screen, self.texts.continued());
        if next.texts.len() > self.texts.len() && next.texts.is_mostly_unused() {
            return None;
        }
        let edit = next.as_edit_of(self);
        (edit.len() <= next.bytes.len() / 2).then_some((next, edit))
    }

    fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts
            .zip(&self.ends)
            .map(|(start, end)| self.bytes.get(start..*end).unwrap_or_default())
    }

    /// The parts of an edit that changes `base` to this content.
    fn as_edit_of(&self, base: &Self) -> Vec<u8> {
        let runs = extended(self.runs(base), &base.bytes, &self.bytes);
        let mut body = BodyWriter::default();
        body.count(runs.len());
        let mut at = 0;
        let ends = runs.iter().skip(1).map(|run| run.to);
        for (run, end) in runs.iter().zip(ends.chain([self.bytes.len()])) {
            let skipped = run.from as i64 - at as i64;
            // A content is shorter than a frame.
            body.int(i32::try_from(skipped).unwrap_or_default());
            body.count(run.length);
            let added = self.bytes.get(run.to + run.length..end);
            body.bytes(added.unwrap_or_default());
            at = run.from + run.length;
        }
        body.into_bytes()
    }

    /// Finds each piece in `base`: after the last one found, else as many pieces later as were not found since, else
    /// anywhere. The first run begins at 0 and may be empty.
    fn runs(&self, base: &Self) -> Vec<Run> {
        let old: Vec<&[u8]> = base.pieces().collect();
        let mut places: HashMap<&[u8], usize> = HashMap::with_capacity(old.len());
        for (place, piece) in old.iter().enumerate() {
            places.entry(piece).or_insert(place);
        }
        let mut runs = Vec::new();
        let mut run = Run::default();
        let (mut expected, mut skipped, mut to) = (0, 0, 0);
        for piece in self.pieces() {
            let is_at = |place: &usize| old.get(*place) == Some(&piece);
            let near = [expected, expected + skipped].into_iter().find(is_at);
            if let Some(place) = near.or_else(|| places.get(piece).copied()) {
                let before = place.checked_sub(1);
                let from = before.and_then(|before| base.ends.get(before).copied());
                let from = from.unwrap_or_default();
                if (from, to) != (run.from + run.length, run.to + run.length) {
                    runs.push(run);
                    run = Run {
                        from,
                        to,
                        length: 0,
                    };
                }
                run.length += piece.len();
                (expected, skipped) = (place + 1, 0);
            } else {
                skipped += 1;
            }
            to += piece.len();
        }
        runs.push(run);
        runs
    }
}

/// Extends runs by equal bytes beside them: of a changed node only the changed bytes are sent.
fn extended(mut runs: Vec<Run>, base: &[u8], next: &[u8]) -> Vec<Run> {
    for index in 0..runs.len() {
        let limit = runs.get(index + 1).map_or(next.len(), |after| after.to);
        let Some(run) = runs.get_mut(index) else {
            break;
        };
        let old = base.get(run.from + run.length..).unwrap_or_default();
        let new = next.get(run.to + run.length..limit).unwrap_or_default();
        run.length += equal(old.iter().zip(new));
        let end = run.to + run.length;
        if let Some(after) = runs.get_mut(index + 1) {
            let old = base.get(..after.from).unwrap_or_default();
            let new = next.get(end..after.to).unwrap_or_default();
            let more = equal(old.iter().rev().zip(new.iter().rev()));
            after.from -= more;
            after.to -= more;
            after.length += more;
        }
    }
    let mut is_first = true;
    runs.retain(|run| std::mem::take(&mut is_first) || run.length >= MIN_RUN);
    runs
}

/// The number of equal bytes before the first that differs.
fn equal<'a>(pairs: impl Iterator<Item = (&'a u8, &'a u8)>) -> usize {
    pairs.take_while(|(old, new)| old == new).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(parts: &[(i32, u32, &[u8])], base: &[u8]) -> Result<Vec<u8>, String> {
        let mut body = BodyWriter::default();
        body.count(parts.len());
        for (skipped, copied, added) in parts {
            body.int(*skipped);
            body.uint(*copied);
            body.bytes(added);
        }
        let bytes = body.into_bytes();
        let mut body = BodyReader::new(&bytes);
        let content = apply(&mut body, base).map_err(|error| error.to_string())?;
        body.finish().map_err(|error| error.to_string())?;
        Ok(content)
    }

    #[test]
    fn parts_copy_from_anywhere_and_add() {
        let base = b"0123456789";
        assert_eq!(applied(&[], base), Ok(Vec::new()));
        let parts: [(i32, u32, &[u8]); 4] =
            [(0, 3, b"a"), (4, 3, b""), (-10, 10, b"b"), (0, 0, b"c")];
        assert_eq!(applied(&parts, base).unwrap(), b"012a7890123456789bc");
    }

    #[test]
    fn parts_outside_of_the_content_are_errors() {
        let base = b"0123456789";
        for part in [
            (0, 11),
            (-1, 1),
            (11, 0),
            (5, 6),
            (i32::MIN, 0),
            (0, u32::MAX),
        ] {
            let error = applied(&[(part.0, part.1, b"")], base).unwrap_err();
            assert!(
                error.contains("copied bytes at byte 1"),
                "{part:?}: {error}"
            );
        }
        // Each part copies everything once more.
        let base = vec![7; 1 << 20];
        let all = [(0, 1 << 20, &b""[..])].into_iter();
        let again = std::iter::repeat_n((-(1 << 20), 1 << 20, &b""[..]), 31);
        let parts: Vec<_> = all.chain(again).collect();
        assert_eq!(applied(&parts, &base).unwrap().len(), MAX_FRAME);
        let parts: Vec<_> = parts.into_iter().chain([(0, 0, &b"1"[..])]).collect();
        let error = applied(&parts, &base).unwrap_err();
        assert!(error.contains("length of the content"), "{error}");
    }

    #[test]
    fn numbers_of_parts_reserve_no_memory() {
        let bytes = [0xff, 0xff, 0xff, 0x0f];
        let error = apply(&mut BodyReader::new(&bytes), b"").unwrap_err();
        assert_eq!(error.problem, Problem::EndsEarly);
    }
}
