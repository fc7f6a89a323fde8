//! The types of which bodies are made.

use std::collections::HashMap;
use std::sync::Arc;

use crate::decode_error::{DecodeError, Problem};

pub(crate) type Decoded<T> = Result<T, DecodeError>;

/// Reads a body from its beginning.
#[derive(Debug)]
pub(crate) struct BodyReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> BodyReader<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The position of the next field.
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    /// An error of the field at `at`.
    pub(crate) const fn error(what: &'static str, at: usize, problem: Problem) -> DecodeError {
        DecodeError { what, at, problem }
    }

    /// The number of bytes that were not read.
    pub(crate) fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    fn take(&mut self, what: &'static str, length: usize) -> Decoded<&'a [u8]> {
        let end = self.at.checked_add(length);
        let taken = end.and_then(|end| self.bytes.get(self.at..end));
        let taken = taken.ok_or(Self::error(what, self.at, Problem::EndsEarly))?;
        self.at += length;
        Ok(taken)
    }

    /// Bytes of a fixed number.
    pub(crate) fn array<const N: usize>(&mut self, what: &'static str) -> Decoded<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(what, N)?);
        Ok(array)
    }

    /// An unsigned integer.
    pub(crate) fn uint(&mut self, what: &'static str) -> Decoded<u64> {
        let start = self.at;
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let [byte] = self.array(what)?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Self::error(what, start, Problem::TooLong))
    }

    /// An unsigned integer that fits a smaller type.
    pub(crate) fn number<T: TryFrom<u64>>(&mut self, what: &'static str) -> Decoded<T> {
        let start = self.at;
        let value = self.uint(what)?;
        T::try_from(value).map_err(|_| Self::error(what, start, Problem::OutOfRange(value.into())))
    }

    /// A signed integer.
    pub(crate) fn int(&mut self, what: &'static str) -> Decoded<i32> {
        let start = self.at;
        let value = self.uint(what)?;
        let signed = (value >> 1) as i64 ^ -((value & 1) as i64);
        i32::try_from(signed)
            .map_err(|_| Self::error(what, start, Problem::OutOfRange(signed.into())))
    }

    /// A yes or no.
    pub(crate) fn flag(&mut self, what: &'static str) -> Decoded<bool> {
        let start = self.at;
        match self.uint(what)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(Self::error(what, start, Problem::Unknown(other))),
        }
    }

    /// A value of a table.
    pub(crate) fn known<T>(
        &mut self,
        what: &'static str,
        meaning: impl FnOnce(u64) -> Option<T>,
    ) -> Decoded<T> {
        let start = self.at;
        let value = self.uint(what)?;
        meaning(value).ok_or(Self::error(what, start, Problem::Unknown(value)))
    }

    pub(crate) fn float(&mut self, what: &'static str) -> Decoded<f32> {
        Ok(f32::from_be_bytes(self.array(what)?))
    }

    pub(crate) fn bytes(&mut self, what: &'static str) -> Decoded<&'a [u8]> {
        let start = self.at;
        let length = self.uint(what)?;
        let length = usize::try_from(length)
            .ok()
            .filter(|all| *all <= self.left());
        let length = length.ok_or(Self::error(what, start, Problem::EndsEarly))?;
        self.take(what, length)
    }

    pub(crate) fn text(&mut self, what: &'static str) -> Decoded<&'a str> {
        let start = self.at;
        let bytes = self.bytes(what)?;
        std::str::from_utf8(bytes).map_err(|_| Self::error(what, start, Problem::NotUtf8))
    }

    /// The number of items that follow, each at least `smallest` bytes long: more than fit are an error, so that
    /// the number may reserve memory.
    pub(crate) fn count(
        &mut self,
        what: &'static str,
        smallest: usize,
        most: usize,
    ) -> Decoded<usize> {
        let start = self.at;
        let value = self.uint(what)?;
        let count = usize::try_from(value).ok().filter(|count| *count <= most);
        let count = count.ok_or(Self::error(what, start, Problem::OutOfRange(value.into())))?;
        match count.checked_mul(smallest) {
            Some(bytes) if bytes <= self.left() => Ok(count),
            _ => Err(Self::error(what, start, Problem::EndsEarly)),
        }
    }

    /// The bytes that were not read, as the last field.
    pub(crate) fn rest(&mut self) -> &'a [u8] {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at = self.bytes.len();
        rest
    }

    /// The end of the body.
    pub(crate) fn finish(self) -> Decoded<()> {
        match self.left() {
            0 => Ok(()),
            left => Err(Self::error("end", self.at, Problem::LeftOver(left))),
        }
    }
}

/// Writes a body.
#[derive(Debug, Default)]
pub(crate) struct BodyWriter {
    bytes: Vec<u8>,
    /// The ends of its pieces.
    ends: Vec<usize>,
}

impl BodyWriter {
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The bytes, and the end of each piece in them.
    pub(crate) fn into_pieces(self) -> (Vec<u8>, Vec<usize>) {
        (self.bytes, self.ends)
    }

    /// Ends a piece, which an edit may copy.
    pub(crate) fn end_piece(&mut self) {
        self.ends.push(self.bytes.len());
    }

    /// Adds another body with its pieces.
    pub(crate) fn append(&mut self, other: Self) {
        let before = self.bytes.len();
        self.ends
            .extend(other.ends.into_iter().map(|end| before + end));
        self.array(&other.bytes);
    }

    /// Bytes without a length.
    pub(crate) fn array(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub(crate) fn uint(&mut self, value: impl Into<u64>) {
        let mut value: u64 = value.into();
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    pub(crate) fn count(&mut self, value: usize) {
        self.uint(value as u64);
    }

    pub(crate) fn int(&mut self, value: i32) {
        let value = i64::from(value);
        self.uint((value << 1 ^ value >> 63) as u64);
    }

    pub(crate) fn float(&mut self, value: f32) {
        self.array(&value.to_be_bytes());
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.array(bytes);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }
}

/// The string table of an observation that is being decoded.
#[derive(Debug)]
pub(crate) struct Texts(Vec<Arc<str>>);

impl Texts {
    pub(crate) fn decode(body: &mut BodyReader<'_>, most: usize) -> Decoded<Self> {
        let count = body.count("number of texts", 1, most)?;
        let mut texts = Vec::with_capacity(count);
        for _ in 0..count {
            texts.push(Arc::from(body.text("text")?));
        }
        Ok(Self(texts))
    }

    /// A text by reference; `None` for no text.
    pub(crate) fn read(
        &self,
        body: &mut BodyReader<'_>,
        what: &'static str,
    ) -> Decoded<Option<Arc<str>>> {
        let start = body.at();
        let place = body.uint(what)?;
        let Some(place) = place.checked_sub(1) else {
            return Ok(None);
        };
        let text = usize::try_from(place).ok().and_then(|at| self.0.get(at));
        match text {
            Some(text) => Ok(Some(Arc::clone(text))),
            None => Err(BodyReader::error(what, start, Problem::Unknown(place + 1))),
        }
    }
}

/// The string table of an observation that is being encoded.
#[derive(Debug, Default)]
pub(crate) struct TextTable {
    places: HashMap<Arc<str>, u64>,
    texts: Vec<Arc<str>>,
    /// Whether there is a reference to each text.
    used: Vec<bool>,
}

impl TextTable {
    /// The same texts without references.
    pub(crate) fn continued(&self) -> Self {
        Self {
            places: self.places.clone(),
            texts: self.texts.clone(),
            used: vec![false; self.used.len()],
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether more than half of its bytes are of texts without references.
    pub(crate) fn is_mostly_unused(&self) -> bool {
        let bytes = |used: bool| -> usize {
            let texts = self.texts.iter().zip(&self.used);
            let texts = texts.filter(|(_, is_used)| **is_used == used);
            texts.map(|(text, _)| text.len()).sum()
        };
        bytes(true) < bytes(false)
    }

    /// The reference to a text, which is added if it is new.
    pub(crate) fn reference(&mut self, text: Option<&Arc<str>>) -> u64 {
        let Some(text) = text else {
            return 0;
        };
        if let Some(place) = self.places.get(text) {
            let index = usize::try_from(place - 1).unwrap_or_default();
            if let Some(used) = self.used.get_mut(index) {
                *used = true;
            }
            return *place;
        }
        self.texts.push(Arc::clone(text));
        self.used.push(true);
        let place = self.texts.len() as u64;
        self.places.insert(Arc::clone(text), place);
        place
    }

    pub(crate) fn encode(&self, body: &mut BodyWriter) {
        body.count(self.texts.len());
        body.end_piece();
        for text in &self.texts {
            body.text(text);
            body.end_piece();
        }
    }
}
