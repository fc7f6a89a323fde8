//! Parses scripts. Source: the POSIX shell command language, as far as scripts for phones use it.

/// A part of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Text(String),
    /// An expansion; unquoted, its value is split at blanks.
    Expansion {
        what: Expansion,
        quoted: bool,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expansion {
    /// `$name` or `${name}`.
    Name(String),
    Output(List),
    Sum(Word),
}

/// A word before it is expanded.
pub(crate) type Word = Vec<Piece>;

/// The redirected stream and its target.
pub(crate) type Redirect = (Fd, Target);

/// A standard stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fd {
    In,
    Out,
    Error,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Read(Word),
    Write(Word),
    Append(Word),
    Same(Fd),
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    Simple {
        assigns: Vec<(String, Word)>,
        words: Vec<Word>,
        redirects: Vec<Redirect>,
    },
    /// `{ … }` or `( … )`.
    Block {
        list: List,
        redirects: Vec<Redirect>,
        is_subshell: bool,
    },
    If {
        test: List,
        body: List,
        otherwise: List,
    },
}

/// Pipelines in order.
pub(crate) type List = Vec<(Join, Pipeline)>;

/// When a pipeline runs, depending on the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Join {
    Always,
    And,
    Or,
}

/// Commands joined by pipes.
pub(crate) type Pipeline = Vec<Node>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ParseError {
    /// It is incomplete: a quote or a block is open.
    Open,
    Bad(String),
}

type Result<T> = std::result::Result<T, ParseError>;

/// Parses a script.
pub(crate) fn parse(text: &str) -> Result<List> {
    let mut parser = Parser {
        rest: text,
        depth: 0,
    };
    let list = parser.list()?;
    match parser.rest {
        "" => Ok(list),
        _ => Err(parser.unexpected()),
    }
}

const MAX_DEPTH: usize = 60;
/// Words that end a block.
const ENDS: [&str; 4] = ["then", "else", "fi", "}"];
/// What ends an unquoted word.
const BREAKS: &str = " \t\n\r;&|()<>";

struct Parser<'t> {
    rest: &'t str,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let mut letters = self.rest.chars();
        let next = letters.next();
        self.rest = letters.as_str();
        next
    }

    fn take(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|c| !fits(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    /// Takes the text before `end`, and `end`.
    fn until(&mut self, end: &str) -> Result<&'t str> {
        let (text, rest) = self.rest.split_once(end).ok_or(ParseError::Open)?;
        self.rest = rest;
        Ok(text)
    }

    /// Skips blanks, joined lines and comments.
    fn blanks(&mut self) {
        loop {
            self.take_while(|c| matches!(c, ' ' | '\t' | '\r'));
            if self.peek() == Some('#') {
                self.take_while(|c| c != '\n');
            } else if !self.take("\\\n") {
                return;
            }
        }
    }

    fn lines(&mut self) {
        self.blanks();
        while self.take("\n") {
            self.blanks();
        }
    }

    fn unexpected(&self) -> ParseError {
        let word = self.rest.split_whitespace().next().unwrap_or("newline");
        let shown: String = match word.chars().next() {
            Some(c) if ";&|()".contains(c) => word.chars().take_while(|each| *each == c).collect(),
            _ => word.chars().take(40).collect(),
        };
        ParseError::Bad(format!("syntax error: unexpected '{shown}'"))
    }

    /// The unquoted word at the current position, without consuming it.
    fn keyword(&self) -> &'t str {
        let ends = |c: char| c.is_whitespace() || BREAKS.contains(c);
        self.rest.split(ends).next().unwrap_or_default()
    }

    fn word_is(&mut self, word: &str) -> bool {
        self.keyword() == word && self.take(word)
    }

    fn list(&mut self) -> Result<List> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(ParseError::Bad("syntax error: too deep".to_owned()));
        }
        let mut list = List::new();
        let mut join = Join::Always;
        loop {
            self.lines();
            let ends = self.peek().is_none_or(|c| c == ')') || ENDS.contains(&self.keyword());
            if join == Join::Always && ends {
                break;
            }
            if self.rest.is_empty() {
                return Err(ParseError::Open);
            }
            list.push((join, self.pipeline()?));
            self.blanks();
            join = if self.take("&&") {
                Join::And
            } else if self.take("||") {
                Join::Or
            } else if self.rest.starts_with(";;") {
                return Err(self.unexpected());
            } else if self.take(";") || self.take("\n") {
                Join::Always
            } else if self.peek() == Some('&') {
                let message = "background commands are not supported: '&'";
                return Err(ParseError::Bad(message.to_owned()));
            } else {
                break;
            };
        }
        self.depth -= 1;
        Ok(list)
    }

    fn pipeline(&mut self) -> Result<Pipeline> {
        let mut parts = vec![self.command()?];
        loop {
            self.blanks();
            if self.rest.starts_with("||") || !self.take("|") {
                return Ok(parts);
            }
            self.lines();
            if self.rest.is_empty() {
                return Err(ParseError::Open);
            }
            parts.push(self.command()?);
        }
    }

    fn command(&mut self) -> Result<Node> {
        let is_subshell = self.take("(");
        if is_subshell || self.word_is("{") {
            let list = self.list()?;
            self.end(if is_subshell { ")" } else { "}" })?;
            let mut redirects = Vec::new();
            while let Some(redirect) = self.redirect()? {
                redirects.push(redirect);
            }
            return Ok(Node::Block {
                list,
                redirects,
                is_subshell,
            });
        }
        if !self.word_is("if") {
            return self.simple();
        }
        let test = self.list()?;
        self.end("then")?;
        let body = self.list()?;
        self.lines();
        let otherwise = match self.word_is("else") {
            true => self.list()?,
            false => List::new(),
        };
        self.end("fi")?;
        Ok(Node::If {
            test,
            body,
            otherwise,
        })
    }

    fn end(&mut self, word: &str) -> Result<()> {
        self.lines();
        if self.take(word) {
            return Ok(());
        }
        match self.rest {
            "" => Err(ParseError::Open),
            _ => Err(self.unexpected()),
        }
    }

    fn simple(&mut self) -> Result<Node> {
        let (mut assigns, mut words, mut redirects) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            if let Some(redirect) = self.redirect()? {
                redirects.push(redirect);
            } else if words.is_empty()
                && let Some(name) = self.assigned()
            {
                assigns.push((name, self.word_here()?));
            } else if let Some(word) = self.word()? {
                words.push(word);
            } else {
                break;
            }
        }
        if assigns.is_empty() && words.is_empty() && redirects.is_empty() {
            return Err(self.unexpected());
        }
        Ok(Node::Simple {
            assigns,
            words,
            redirects,
        })
    }

    /// Consumes `NAME=` and returns the name.
    fn assigned(&mut self) -> Option<String> {
        let (name, _) = self.keyword().split_once('=')?;
        let fits = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        (fits && self.take(name) && self.take("=")).then(|| name.to_owned())
    }

    fn redirect(&mut self) -> Result<Option<Redirect>> {
        self.blanks();
        if self.rest.starts_with("<<") {
            return Err(self.unexpected());
        }
        if self.take("0<") || self.take("<") {
            return Ok(Some((Fd::In, Target::Read(self.required_word()?))));
        }
        let fd = if self.take("2>") {
            Fd::Error
        } else if self.take("1>") || self.take(">") {
            Fd::Out
        } else {
            return Ok(None);
        };
        let to = if self.take("&1") {
            Target::Same(Fd::Out)
        } else if self.take("&2") {
            Target::Same(Fd::Error)
        } else if self.take(">") {
            Target::Append(self.required_word()?)
        } else {
            self.take("|");
            Target::Write(self.required_word()?)
        };
        Ok(Some((fd, to)))
    }

    fn required_word(&mut self) -> Result<Word> {
        self.word()?.ok_or_else(|| self.unexpected())
    }

    fn word(&mut self) -> Result<Option<Word>> {
        self.blanks();
        match self.peek() {
            Some(letter) if !BREAKS.contains(letter) => self.word_here().map(Some),
            _ => Ok(None),
        }
    }

    /// Parses up to the next blank or operator; the word may be empty.
    fn word_here(&mut self) -> Result<Word> {
        let mut word = Word::new();
        while let Some(letter) = self.peek().filter(|letter| !BREAKS.contains(*letter)) {
            if letter == '$' {
                self.expansion(&mut word, false)?;
                continue;
            }
            self.next();
            match letter {
                '\'' => push(&mut word, self.until("'")?),
                '"' => self.quoted(&mut word, Some('"'))?,
                '\\' => match self.next() {
                    None => return Err(ParseError::Open),
                    Some('\n') => {}
                    Some(letter) => push(&mut word, letter.encode_utf8(&mut [0; 4])),
                },
                letter => push(&mut word, letter.encode_utf8(&mut [0; 4])),
            }
        }
        Ok(word)
    }

    /// Parses text in double quotes; without an `end` all of the rest.
    fn quoted(&mut self, word: &mut Word, end: Option<char>) -> Result<()> {
        push(word, "");
        loop {
            if self.peek() == Some('$') {
                self.expansion(word, true)?;
                continue;
            }
            let letter = match self.next() {
                letter if letter == end => return Ok(()),
                None => return Err(ParseError::Open),
                Some('\\') => match self.next() {
                    None => return Err(ParseError::Open),
                    Some('\n') => continue,
                    Some(letter) => {
                        if !"$`\"\\".contains(letter) {
                            push(word, "\\");
                        }
                        letter
                    }
                },
                Some(letter) => letter,
            };
            push(word, letter.encode_utf8(&mut [0; 4]));
        }
    }

    /// Parses an expansion that starts with `$`.
    fn expansion(&mut self, word: &mut Word, quoted: bool) -> Result<()> {
        self.take("$");
        let what = if self.take("((") {
            let mut sum = Word::new();
            let mut inner = Parser {
                rest: self.until("))")?,
                depth: self.depth,
            };
            inner.quoted(&mut sum, None)?;
            Expansion::Sum(sum)
        } else if self.take("(") {
            let script = self.list()?;
            self.end(")")?;
            Expansion::Output(script)
        } else if self.take("{") {
            Expansion::Name(self.until("}")?.to_owned())
        } else {
            let name = match self.peek() {
                Some(letter) if "?$#@*0123456789!-".contains(letter) => {
                    self.next();
                    letter.to_string()
                }
                _ => self
                    .take_while(|c| c.is_ascii_alphanumeric() || c == '_')
                    .to_owned(),
            };
            if name.is_empty() {
                push(word, "$");
                return Ok(());
            }
            Expansion::Name(name)
        };
        word.push(Piece::Expansion { what, quoted });
        Ok(())
    }
}

fn push(word: &mut Word, more: &str) {
    match word.last_mut() {
        Some(Piece::Text(text)) => text.push_str(more),
        _ => word.push(Piece::Text(more.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nesting_of_blocks_is_limited() {
        for block in ["(", "$(", "$(($("] {
            assert!(parse(&block.repeat(500)).is_err());
        }
    }

    #[test]
    fn lists_and_pipelines_are_parsed() {
        let list = parse("a; b && c | d\n# nothing\ne").unwrap();
        let shape = list.iter().map(|(join, line)| (*join, line.len()));
        let (always, and) = (Join::Always, Join::And);
        assert!(shape.eq([(always, 1), (always, 1), (and, 2), (always, 1)]));
        assert_eq!(parse("").unwrap(), []);
    }
}
