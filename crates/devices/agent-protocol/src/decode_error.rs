//! Errors of decoding.

/// A body that does not follow the protocol.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} at byte {at}: {problem}")]
pub struct DecodeError {
    /// The field.
    pub what: &'static str,
    /// Its position in the body.
    pub at: usize,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The body ends before its end.
    #[error("the body ends early")]
    EndsEarly,
    /// Bytes follow the last field.
    #[error("{0} bytes are left over")]
    LeftOver(usize),
    /// An integer has more than 64 bits.
    #[error("an integer has more than 64 bits")]
    TooLong,
    /// A number is larger or smaller than allowed.
    #[error("{0} is out of range")]
    OutOfRange(i128),
    /// A value has no meaning.
    #[error("{0} is unknown")]
    Unknown(u64),
    /// A text is not UTF-8.
    #[error("the text is not UTF-8")]
    NotUtf8,
    /// The records of a window are not one tree.
    #[error("the nodes are not one tree")]
    NotATree,
}
