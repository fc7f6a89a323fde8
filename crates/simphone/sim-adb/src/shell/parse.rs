//! Parses scripts. Source: the POSIX shell command language, as far as scripts for phones use it.

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Text {
        text: String,
        quoted: bool,
    },
    /// `$name` or `${name}`.
    Name {
        name: String,
        quoted: bool,
    },
    /// `$(…)`.
    Output {
        script: List,
        quoted: bool,
    },
    /// `$((…))`.
    Sum {
        text: Word,
        quoted: bool,
    },
}

/// A word before it is expanded.
pub(crate) type Word = Vec<Piece>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Redirect {
    pub(crate) fd: Fd,
    pub(crate) to: Target,
}

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

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    Simple {
        assigns: Vec<(String, Word)>,
        words: Vec<Word>,
        redirects: Vec<Redirect>,
    },
    Group {
        list: List,
        redirects: Vec<Redirect>,
    },
    Subshell {
        list: List,
        redirects: Vec<Redirect>,
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

pub(crate) type Pipeline = Vec<Node>;

/// Why a text is not a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ParseError {
    /// It is incomplete: a quote or a block is open.
    Open,
    Bad(String),
}

pub(super) type Result<T> = std::result::Result<T, ParseError>;

pub(crate) fn parse(text: &str) -> Result<List> {
    let mut parser = Parser {
        text: text.chars().collect(),
        at: 0,
        depth: 0,
    };
    let list = parser.list()?;
    match parser.peek() {
        None => Ok(list),
        Some(_) => Err(parser.unexpected()),
    }
}

/// How deeply blocks may be nested.
const MAX_DEPTH: usize = 60;
const ENDS: [&str; 4] = ["then", "else", "fi", "}"];

pub(super) struct Parser {
    pub(super) text: Vec<char>,
    pub(super) at: usize,
    pub(super) depth: usize,
}

impl Parser {
    pub(super) fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    pub(super) fn ahead(&self, text: &str) -> bool {
        text.chars()
            .enumerate()
            .all(|(n, c)| self.text.get(self.at + n) == Some(&c))
    }

    pub(super) fn take(&mut self, text: &str) -> bool {
        let found = self.ahead(text);
        if found {
            self.at += text.chars().count();
        }
        found
    }

    /// Skips blanks, joined lines and comments.
    pub(super) fn blanks(&mut self) {
        loop {
            if self.take("\\\n") {
                continue;
            }
            match self.peek() {
                Some(' ' | '\t' | '\r') => self.at += 1,
                Some('#') => {
                    while self.peek().is_some_and(|c| c != '\n') {
                        self.at += 1;
                    }
                }
                _ => return,
            }
        }
    }

    fn lines(&mut self) {
        self.blanks();
        while self.peek() == Some('\n') {
            self.at += 1;
            self.blanks();
        }
    }

    fn unexpected(&self) -> ParseError {
        let rest: String = self
            .text
            .get(self.at..)
            .unwrap_or_default()
            .iter()
            .collect();
        let word = rest.split_whitespace().next().unwrap_or("newline");
        let shown: String = match word.chars().next() {
            Some(c) if ";&|()".contains(c) => word.chars().take_while(|each| *each == c).collect(),
            _ => word.chars().take(40).collect(),
        };
        ParseError::Bad(format!("syntax error: unexpected '{shown}'"))
    }

    /// The unquoted word at the current position, without consuming it.
    fn keyword(&self) -> String {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let letters = rest
            .iter()
            .take_while(|c| !c.is_whitespace() && !";&|()<>".contains(**c));
        letters.collect()
    }

    fn word_is(&mut self, word: &str) -> bool {
        let found = self.keyword() == word;
        if found {
            self.at += word.len();
        }
        found
    }

    pub(super) fn list(&mut self) -> Result<List> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(ParseError::Bad("syntax error: too deep".to_owned()));
        }
        let mut list = List::new();
        let mut join = Join::Always;
        loop {
            if join == Join::Always {
                self.lines();
                let word = self.keyword();
                if self.peek().is_none_or(|c| c == ')') || ENDS.contains(&word.as_str()) {
                    break;
                }
            } else {
                self.lines();
                if self.peek().is_none() {
                    return Err(ParseError::Open);
                }
            }
            let pipeline = self.pipeline()?;
            list.push((join, pipeline));
            self.blanks();
            join = if self.take("&&") {
                Join::And
            } else if self.take("||") {
                Join::Or
            } else if self.ahead(";;") {
                return Err(self.unexpected());
            } else if self.take(";") || self.take("\n") {
                Join::Always
            } else if self.ahead("&") {
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
            if self.ahead("||") || !self.take("|") {
                break;
            }
            self.lines();
            if self.peek().is_none() {
                return Err(ParseError::Open);
            }
            parts.push(self.command()?);
        }
        Ok(parts)
    }

    fn command(&mut self) -> Result<Node> {
        if self.take("(") {
            let list = self.list()?;
            self.end(")")?;
            let redirects = self.redirects()?;
            return Ok(Node::Subshell { list, redirects });
        }
        match self.keyword().as_str() {
            "{" => {
                self.at += 1;
                let list = self.list()?;
                self.end("}")?;
                let redirects = self.redirects()?;
                Ok(Node::Group { list, redirects })
            }
            "if" => {
                self.at += 2;
                let test = self.list()?;
                self.end("then")?;
                let body = self.list()?;
                self.lines();
                let otherwise = if self.word_is("else") {
                    self.list()?
                } else {
                    List::new()
                };
                self.end("fi")?;
                Ok(Node::If {
                    test,
                    body,
                    otherwise,
                })
            }
            _ => self.simple(),
        }
    }

    pub(super) fn end(&mut self, word: &str) -> Result<()> {
        self.lines();
        if self.take(word) {
            return Ok(());
        }
        if self.peek().is_none() {
            return Err(ParseError::Open);
        }
        Err(self.unexpected())
    }

    fn simple(&mut self) -> Result<Node> {
        let (mut assigns, mut words, mut redirects) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            self.blanks();
            if let Some(redirect) = self.redirect()? {
                redirects.push(redirect);
                continue;
            }
            if words.is_empty()
                && let Some(name) = self.assigned()
            {
                assigns.push((name, self.word_here()?));
                continue;
            }
            match self.word()? {
                Some(word) => words.push(word),
                None => break,
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
        let word = self.keyword();
        let (name, _) = word.split_once('=')?;
        let first = name.chars().next()?;
        let fits = (first.is_ascii_alphabetic() || first == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        fits.then(|| {
            self.at += name.len() + 1;
            name.to_owned()
        })
    }

    fn redirects(&mut self) -> Result<Vec<Redirect>> {
        let mut redirects = Vec::new();
        loop {
            self.blanks();
            match self.redirect()? {
                Some(redirect) => redirects.push(redirect),
                None => return Ok(redirects),
            }
        }
    }

    fn redirect(&mut self) -> Result<Option<Redirect>> {
        let forms = [
            ("2>&1", Fd::Error, Some(Fd::Out), false),
            ("1>&2", Fd::Out, Some(Fd::Error), false),
            (">&2", Fd::Out, Some(Fd::Error), false),
            (">&1", Fd::Out, Some(Fd::Out), false),
            ("2>>", Fd::Error, None, true),
            ("2>", Fd::Error, None, false),
            ("1>>", Fd::Out, None, true),
            ("1>", Fd::Out, None, false),
            (">>", Fd::Out, None, true),
            (">|", Fd::Out, None, false),
            (">", Fd::Out, None, false),
        ];
        if self.ahead("<<") {
            return Err(self.unexpected());
        }
        if self.take("0<") || self.take("<") {
            let to = Target::Read(self.required_word()?);
            return Ok(Some(Redirect { fd: Fd::In, to }));
        }
        for (form, fd, same, append) in forms {
            if self.take(form) {
                let to = match same {
                    Some(same) => Target::Same(same),
                    None if append => Target::Append(self.required_word()?),
                    None => Target::Write(self.required_word()?),
                };
                return Ok(Some(Redirect { fd, to }));
            }
        }
        Ok(None)
    }

    fn required_word(&mut self) -> Result<Word> {
        self.word()?.ok_or_else(|| self.unexpected())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nesting_of_blocks_is_limited() {
        let deep = "(".repeat(500);
        assert!(matches!(parse(&deep), Err(ParseError::Bad(_))));
        let deep = "$(".repeat(500);
        assert!(parse(&deep).is_err());
    }

    #[test]
    fn lists_and_pipelines_are_parsed() {
        let list = parse("a; b && c | d\n# nothing\ne").unwrap();
        let shape: Vec<(Join, usize)> = list
            .iter()
            .map(|(join, line)| (*join, line.len()))
            .collect();
        assert_eq!(
            shape,
            [
                (Join::Always, 1),
                (Join::Always, 1),
                (Join::And, 2),
                (Join::Always, 1)
            ]
        );
        assert_eq!(parse("").unwrap(), []);
    }
}
