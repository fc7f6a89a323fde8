//! Parses words: quotes, variables and substitutions.

use super::parse::{ParseError, Parser, Piece, Result, Word};

impl Parser {
    /// Parses the next word; `None` if none follows.
    pub(super) fn word(&mut self) -> Result<Option<Word>> {
        self.blanks();
        match self.peek() {
            None | Some('\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>') => Ok(None),
            Some(_) => self.word_here().map(Some),
        }
    }

    /// Parses up to the next blank or operator; the word may be empty.
    pub(super) fn word_here(&mut self) -> Result<Word> {
        let mut word = Word::new();
        while let Some(letter) = self.peek() {
            match letter {
                ' ' | '\t' | '\n' | '\r' | ';' | '&' | '|' | '(' | ')' | '<' | '>' => break,
                '\'' => {
                    self.at += 1;
                    let text = self.until('\'')?;
                    word.push(Piece::Text { text, quoted: true });
                }
                '"' => {
                    self.at += 1;
                    self.quoted(&mut word, Some('"'))?;
                }
                '\\' => {
                    self.at += 1;
                    match self.peek() {
                        None => return Err(ParseError::Open),
                        Some('\n') => {}
                        Some(letter) => push(&mut word, letter, true),
                    }
                    self.at += 1;
                }
                '$' => self.dollar(&mut word, false)?,
                letter => {
                    push(&mut word, letter, false);
                    self.at += 1;
                }
            }
        }
        Ok(word)
    }

    fn until(&mut self, end: char) -> Result<String> {
        let mut text = String::new();
        loop {
            match self.peek() {
                None => return Err(ParseError::Open),
                Some(letter) => {
                    self.at += 1;
                    if letter == end {
                        return Ok(text);
                    }
                    text.push(letter);
                }
            }
        }
    }

    /// Parses text in double quotes; without an `end` all of the rest.
    fn quoted(&mut self, word: &mut Word, end: Option<char>) -> Result<()> {
        word.push(Piece::Text {
            text: String::new(),
            quoted: true,
        });
        loop {
            match self.peek() {
                None if end.is_none() => return Ok(()),
                None => return Err(ParseError::Open),
                letter if letter == end => {
                    self.at += 1;
                    return Ok(());
                }
                Some('\\') => {
                    self.at += 1;
                    match self.peek() {
                        None => return Err(ParseError::Open),
                        Some('\n') => {}
                        Some(letter @ ('$' | '`' | '"' | '\\')) => push(word, letter, true),
                        Some(letter) => {
                            push(word, '\\', true);
                            push(word, letter, true);
                        }
                    }
                    self.at += 1;
                }
                Some('$') => self.dollar(word, true)?,
                Some(letter) => {
                    push(word, letter, true);
                    self.at += 1;
                }
            }
        }
    }

    /// Parses an expansion that starts with `$`.
    fn dollar(&mut self, word: &mut Word, quoted: bool) -> Result<()> {
        self.at += 1;
        if self.take("((") {
            let mut text = String::new();
            while !self.ahead("))") {
                text.push(self.peek().ok_or(ParseError::Open)?);
                self.at += 1;
            }
            self.at += 2;
            let text = arithmetic(&text)?;
            word.push(Piece::Sum { text, quoted });
        } else if self.take("(") {
            let script = self.list()?;
            self.end(")")?;
            word.push(Piece::Output { script, quoted });
        } else if self.take("{") {
            let name = self.until('}')?;
            word.push(Piece::Name { name, quoted });
        } else {
            let name = match self.peek() {
                Some(letter) if "?$#@*0123456789!-".contains(letter) => {
                    self.at += 1;
                    letter.to_string()
                }
                _ => {
                    let rest = self.text.get(self.at..).unwrap_or_default();
                    let name = |c: &&char| c.is_ascii_alphanumeric() || **c == '_';
                    let name: String = rest.iter().take_while(name).collect();
                    self.at += name.len();
                    name
                }
            };
            if name.is_empty() {
                push(word, '$', quoted);
            } else {
                word.push(Piece::Name { name, quoted });
            }
        }
        Ok(())
    }
}

/// Parses the text of `$((…))`.
fn arithmetic(text: &str) -> Result<Word> {
    let mut parser = Parser {
        text: text.chars().collect(),
        at: 0,
        depth: 0,
    };
    let mut word = Word::new();
    parser.quoted(&mut word, None)?;
    Ok(word)
}

fn push(word: &mut Word, letter: char, now_quoted: bool) {
    if let Some(Piece::Text { text, quoted }) = word.last_mut()
        && *quoted == now_quoted
    {
        text.push(letter);
        return;
    }
    word.push(Piece::Text {
        text: letter.to_string(),
        quoted: now_quoted,
    });
}
