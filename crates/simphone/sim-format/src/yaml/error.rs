//! Explains errors of the YAML parser in the terms of the app format.

use granit_parser::{ErrorKind, ScanError};

/// Returns the message for an error of the parser.
pub(super) fn explain(error: &ScanError, text: &str) -> String {
    let kind = error.kind();
    let number = error.marker().line();
    let line = text
        .lines()
        .nth(number.saturating_sub(1))
        .unwrap_or_default();
    let misplaced = matches!(
        kind,
        ErrorKind::MappingValueNotAllowed
            | ErrorKind::InvalidColonPlacement
            | ErrorKind::BlockEntryInFlowCollection
            | ErrorKind::ExpectedFlowMappingSeparator
            | ErrorKind::ExpectedFlowSequenceSeparator
            | ErrorKind::UnexpectedEofFlowSequence
            | ErrorKind::UnexpectedEofFlowMapping
    );
    if misplaced && let Some((open, at)) = unclosed(text, number.saturating_sub(1)) {
        return format!("the `{open}` of line {at} is not closed");
    }
    if matches!(kind, ErrorKind::ExpectedBlockMappingKey)
        && (line.contains(": {")
            || line.contains("- {")
            || line.contains(": [\"")
            || line.contains(": ["))
    {
        return "something follows a closing bracket: a text with `{` or `[` in it must be in quotes".to_owned();
    }
    let advice = match kind {
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabAtBlockScalarStart
        | ErrorKind::TabInPlainScalar => "there is a tab here: indent with spaces",
        ErrorKind::UnclosedQuotedScalar => "this quote is not closed",
        ErrorKind::UnclosedFlowCollection { open: '{' }
        | ErrorKind::UnexpectedEofFlowMapping
        | ErrorKind::UnexpectedEofImplicitFlowMapping => "this `{` is not closed with `}`",
        ErrorKind::UnclosedFlowCollection { .. } | ErrorKind::UnexpectedEofFlowSequence => {
            "this `[` is not closed with `]`"
        }
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
            return format!("`{open}` is closed with `{close}`");
        }
        ErrorKind::MisplacedFlowCollectionEnd => {
            "there is a closing bracket without an opening one"
        }
        ErrorKind::ExpectedFlowMappingSeparator => {
            "expected `,` or `}` here: a text with `{`, `}` or `,` in it must be in quotes"
        }
        ErrorKind::ExpectedFlowSequenceSeparator => {
            "expected `,` or `]` here: a text with `[`, `]` or `,` in it must be in quotes"
        }
        ErrorKind::InvalidTrailingSingleQuotedScalar
        | ErrorKind::InvalidTrailingDoubleQuotedScalar => {
            "something follows the closing quote: put the whole text in one pair of quotes"
        }
        ErrorKind::UnknownQuotedScalarEscape => {
            "`\\` starts a special character in \" \"; write `\\\\`, or use ' '"
        }
        ErrorKind::MappingValueNotAllowed | ErrorKind::InvalidColonPlacement => {
            "`:` is not allowed here: a text with `: ` in it must be in quotes, and each key needs a line of its own or a `,` before it"
        }
        ErrorKind::ExpectedBlockMappingKey => {
            "expected a key and `:` here: check that this line is indented like the keys it belongs to"
        }
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => {
            "this is neither `key: value` nor part of the lines above: is a `:` missing, or the indentation wrong?"
        }
        ErrorKind::InvalidQuotedScalarIndent => {
            "a quote above is not closed, or the lines of a quoted text are not indented"
        }
        ErrorKind::InvalidIndentation
        | ErrorKind::InvalidFlowScalarIndent
        | ErrorKind::InvalidBlockScalarIndent => {
            "the indentation is wrong: lines that belong together start in the same column"
        }
        ErrorKind::ExpectedBlockSequenceEntry => {
            "expected `- ` here: check that this line is indented like the list it belongs to"
        }
        ErrorKind::BlockSequenceEntryNotAllowed => {
            "a list cannot start here: put `- ` on a line of its own below the key"
        }
        ErrorKind::BlockEntryInFlowCollection => {
            "`- ` is not allowed inside of `[ ]` or `{ }`: separate with `,`"
        }
        ErrorKind::UnexpectedCharacter { character } => {
            return format!("a text cannot start with `{character}` unless it is in quotes");
        }
        ErrorKind::UnknownAnchor => {
            "this alias was never defined; a text that starts with `*` must be in quotes"
        }
        ErrorKind::RecursionLimitExceeded => return crate::yaml::too_deep(),
        ErrorKind::CommentNotSeparated => "put a space before `#`, or the text in quotes",
        _ => "",
    };
    if !advice.is_empty() {
        return advice.to_owned();
    }
    // The scanner reports some tabs as other errors.
    if line.trim_start_matches(' ').starts_with('\t') {
        return "there is a tab here: indent with spaces".to_owned();
    }
    format!("this is not YAML: {}", error.info())
}

/// Returns the innermost open bracket after a number of lines, and its line.
fn unclosed(text: &str, lines: usize) -> Option<(char, usize)> {
    let mut open = Vec::new();
    for (index, line) in text.lines().take(lines).enumerate() {
        let mut quote = None;
        let mut before = ' ';
        for c in line.chars() {
            match (quote, c) {
                (Some(end), c) if c == end => quote = None,
                (Some(_), _) => {}
                // An apostrophe inside a word is not a quote.
                (None, '"' | '\'') if !before.is_alphanumeric() => quote = Some(c),
                (None, '#') if before == ' ' => break,
                (None, '[' | '{') => open.push((c, index + 1)),
                (None, ']' | '}') => {
                    open.pop();
                }
                (None, _) => {}
            }
            before = c;
        }
    }
    open.pop()
}
