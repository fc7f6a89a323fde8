//! Reads what the build script packs of an app file: the events of the YAML parser, one behind the other, so that a phone
//! need not parse files that were right when it was built.
//!
//! An event is a letter, for what begins a value the number of its anchor, and for a text its length in bytes and itself.
//! Numbers are in groups of seven bits, the lowest first. `build.rs` writes them. The places of values are left out: nothing
//! is wrong with these files, which a test reads as they are written.

use std::borrow::Cow;

use granit_parser::{Event, ScalarStyle, StructureStyle};

use crate::yaml::{Failure, Place};

/// The events that are left.
pub(super) struct Packed<'s> {
    rest: &'s [u8],
}

impl<'s> Packed<'s> {
    pub(super) const fn new(packed: &'s [u8]) -> Self {
        Self { rest: packed }
    }

    /// The next event; the end of the stream when nothing is left.
    pub(super) fn next(&mut self) -> Result<Event<'s>, Failure> {
        match self.event() {
            Some(event) => Ok(event),
            None if self.rest.is_empty() => Ok(Event::StreamEnd),
            None => {
                let message = "the packed file is damaged".to_owned();
                Err(Failure::Here(Place::default(), message))
            }
        }
    }

    fn event(&mut self) -> Option<Event<'s>> {
        let (letter, rest) = self.rest.split_first()?;
        self.rest = rest;
        let end = match letter {
            b']' => Some(Event::SequenceEnd),
            b'}' => Some(Event::MappingEnd),
            _ => None,
        };
        if let Some(end) = end {
            return Some(end);
        }
        let anchor = self.number()? as usize;
        let event = match letter {
            b'[' => Event::SequenceStart(StructureStyle::Block, anchor, None),
            b'{' => Event::MappingStart(StructureStyle::Block, anchor, None),
            b'*' => Event::Alias(anchor),
            b'p' => Event::Scalar(self.text()?, ScalarStyle::Plain, anchor, None),
            b'q' => Event::Scalar(self.text()?, ScalarStyle::DoubleQuoted, anchor, None),
            _ => return None,
        };
        Some(event)
    }

    fn text(&mut self) -> Option<Cow<'s, str>> {
        let length = self.number()? as usize;
        let (text, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        std::str::from_utf8(text).ok().map(Cow::Borrowed)
    }

    fn number(&mut self) -> Option<u32> {
        let mut number = 0_u32;
        for shift in [0, 7, 14, 21] {
            let (byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            number |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }
}
