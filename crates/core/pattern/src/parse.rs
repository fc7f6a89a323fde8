//! Parses patterns: the grammar of ECMAScript with Annex B, without the flags `u` and `v`.

use std::collections::HashMap;
use std::ops::Range;

use crate::set::{self, Set};

/// Maximum nesting of groups. Parsing, compiling and matching recurse once per level.
const MAX_NESTING: usize = 64;

/// Syntax error in a pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem} at character {position}")]
pub struct SyntaxError {
    problem: String,
    position: usize,
}

/// A node of the tree.
#[derive(Debug)]
pub(crate) enum Node {
    /// Matches the empty text.
    Empty,
    Char(u32),
    Set(Set),
    Sequence(Vec<Node>),
    /// Alternatives, in order.
    Choice(Vec<Node>),
    /// A capturing group.
    Capture {
        group: usize,
        body: Box<Node>,
    },
    /// The capture of one of `groups`, which share a name.
    BackReference {
        groups: Vec<usize>,
        ignores_case: bool,
    },
    /// `^`
    Start {
        multiline: bool,
    },
    /// `$`
    End {
        multiline: bool,
    },
    /// `\b` and `\B`
    WordBoundary {
        inverted: bool,
    },
    /// Look-ahead and look-behind.
    Look {
        behind: bool,
        negated: bool,
        body: Box<Node>,
    },
    /// A quantifier.
    Repeat {
        body: Box<Node>,
        min: usize,
        max: Option<usize>,
        greedy: bool,
        /// Groups inside, cleared on every repetition.
        groups: Range<usize>,
    },
}

/// The tree of a pattern.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) root: Node,
    /// Number of capturing groups.
    pub(crate) groups: usize,
}

/// Parses a pattern.
pub(crate) fn parse(source: &str) -> Result<Tree, SyntaxError> {
    let source: Vec<char> = source.chars().collect();
    let mut parser = Parser {
        source: &source,
        at: 0,
        declared: Groups::find(&source),
        groups: 0,
        nesting: 0,
        modifiers: Modifiers::default(),
    };
    let (root, _) = parser.choice()?;
    if parser.at < source.len() {
        return parser.error("unbalanced parenthesis");
    }
    Ok(Tree {
        root,
        groups: parser.groups,
    })
}

/// Capturing groups, found before parsing because references may come first.
#[derive(Default)]
struct Groups {
    count: usize,
    names: HashMap<String, Vec<usize>>,
}

impl Groups {
    fn find(source: &[char]) -> Self {
        let mut groups = Self::default();
        let mut in_class = false;
        let mut at = 0;
        while let Some(&c) = source.get(at) {
            at += 1;
            match c {
                '\\' => at += 1,
                '[' => in_class = true,
                ']' => in_class = false,
                '(' if !in_class && source.get(at) != Some(&'?') => groups.count += 1,
                '(' if !in_class => {
                    if let Some(name) = group_name(&source[at + 1..]) {
                        groups.names.entry(name).or_default().push(groups.count);
                        groups.count += 1;
                    }
                }
                _ => {}
            }
        }
        groups
    }
}

/// The name in `<name>` at the start of `source`.
fn group_name(source: &[char]) -> Option<String> {
    let (open, rest) = source.split_first()?;
    let length = rest.iter().position(|c| *c == '>')?;
    let (first, others) = rest[..length].split_first()?;
    let starts = |c: char| c.is_alphabetic() || matches!(c, '$' | '_');
    let continues =
        |c: char| c.is_alphanumeric() || matches!(c, '$' | '_' | '\u{200C}' | '\u{200D}');
    let valid = *open == '<' && starts(*first) && others.iter().all(|c| continues(*c));
    valid.then(|| rest[..length].iter().collect())
}

#[derive(Clone, Copy, Default)]
struct Modifiers {
    ignores_case: bool,
    multiline: bool,
    dot_matches_line_ends: bool,
}

/// Meaning of an escape.
enum Escape {
    Char(u32),
    Class(Vec<(u32, u32)>),
}

/// Names of groups.
type Names = Vec<String>;

struct Parser<'a> {
    source: &'a [char],
    at: usize,
    declared: Groups,
    /// Number of groups so far.
    groups: usize,
    nesting: usize,
    modifiers: Modifiers,
}

impl Parser<'_> {
    fn error<T>(&self, problem: impl Into<String>) -> Result<T, SyntaxError> {
        Err(SyntaxError {
            problem: problem.into(),
            position: self.at + 1,
        })
    }

    fn peek(&self) -> Option<char> {
        self.source.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    fn take(&mut self, expected: &str) -> bool {
        let mut ahead = self.source[self.at..].iter();
        let found = expected.chars().all(|c| ahead.next() == Some(&c));
        if found {
            self.at += expected.chars().count();
        }
        found
    }

    fn char(&self, c: u32) -> Node {
        if self.modifiers.ignores_case {
            self.set(vec![(c, c)], false)
        } else {
            Node::Char(c)
        }
    }

    fn set(&self, ranges: Vec<(u32, u32)>, inverted: bool) -> Node {
        Node::Set(Set::new(ranges, inverted, self.modifiers.ignores_case))
    }

    /// `a|b`
    fn choice(&mut self) -> Result<(Node, Names), SyntaxError> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return self.error("groups are nested too deeply");
        }
        let (first, mut names) = self.sequence()?;
        let mut options = vec![first];
        while self.take("|") {
            let (option, more) = self.sequence()?;
            options.push(option);
            names.extend(more);
        }
        names.sort_unstable();
        names.dedup();
        self.nesting -= 1;
        let node = match options.pop() {
            Some(only) if options.is_empty() => only,
            last => {
                options.extend(last);
                Node::Choice(options)
            }
        };
        Ok((node, names))
    }

    fn sequence(&mut self) -> Result<(Node, Names), SyntaxError> {
        let mut nodes = Vec::new();
        let mut names = Names::new();
        while let Some(c) = self.peek()
            && !matches!(c, '|' | ')')
        {
            let groups = self.groups;
            let start = self.at;
            let (node, more) = self.term()?;
            if more.iter().any(|name| names.contains(name)) {
                self.at = start;
                return self.error("two groups have the same name");
            }
            names.extend(more);
            let repeatable = !matches!(
                node,
                Node::Start { .. }
                    | Node::End { .. }
                    | Node::WordBoundary { .. }
                    | Node::Look { behind: true, .. }
            );
            nodes.push(self.quantified(node, groups, repeatable)?);
        }
        let node = match nodes.pop() {
            None => Node::Empty,
            Some(only) if nodes.is_empty() => only,
            last => {
                nodes.extend(last);
                Node::Sequence(nodes)
            }
        };
        Ok((node, names))
    }

    /// Applies the quantifier that follows `node`.
    fn quantified(
        &mut self,
        node: Node,
        groups: usize,
        repeatable: bool,
    ) -> Result<Node, SyntaxError> {
        let start = self.at;
        let (min, max) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => match self.braces() {
                Some(counts) => counts,
                None => return Ok(node),
            },
            _ => return Ok(node),
        };
        if self.at == start {
            self.at += 1;
        }
        let problem = if !repeatable {
            "nothing to repeat"
        } else if max.is_some_and(|max| max < min) {
            "the numbers of the quantifier are in the wrong order"
        } else {
            let greedy = !self.take("?");
            return Ok(Node::Repeat {
                body: Box::new(node),
                min,
                max,
                greedy,
                groups: groups..self.groups,
            });
        };
        self.at = start;
        self.error(problem)
    }

    /// `{2}`, `{2,}` and `{2,3}`; anything else is a literal brace.
    fn braces(&mut self) -> Option<(usize, Option<usize>)> {
        let start = self.at;
        let range = self.take("{").then(|| {
            let min = self.number()?;
            let max = if self.take(",") {
                self.number()
            } else {
                Some(min)
            };
            self.take("}").then_some((min, max))
        });
        let range = range.flatten();
        if range.is_none() {
            self.at = start;
        }
        range
    }

    fn number(&mut self) -> Option<usize> {
        let mut number = None;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            self.at += 1;
            let before: usize = number.unwrap_or(0);
            number = Some(before.saturating_mul(10).saturating_add(digit as usize));
        }
        number
    }

    fn term(&mut self) -> Result<(Node, Names), SyntaxError> {
        let modifiers = self.modifiers;
        let node = match self.next() {
            Some('^') => Node::Start {
                multiline: modifiers.multiline,
            },
            Some('$') => Node::End {
                multiline: modifiers.multiline,
            },
            Some('.') if modifiers.dot_matches_line_ends => self.set(Vec::new(), true),
            Some('.') => self.set(set::LINE_ENDS.to_vec(), true),
            Some('[') => self.class()?,
            Some('(') => return self.group(),
            Some('\\') => self.escape()?,
            Some('*' | '+' | '?') => {
                self.at -= 1;
                return self.error("nothing to repeat");
            }
            Some('{') => {
                self.at -= 1;
                let start = self.at;
                if self.braces().is_some() {
                    self.at = start;
                    return self.error("nothing to repeat");
                }
                self.at += 1;
                self.char('{'.into())
            }
            Some(c) => self.char(c.into()),
            None => Node::Empty,
        };
        Ok((node, Names::new()))
    }

    /// After an opening parenthesis.
    fn group(&mut self) -> Result<(Node, Names), SyntaxError> {
        let start = self.at;
        let look = |behind, negated| {
            move |body| Node::Look {
                behind,
                negated,
                body: Box::new(body),
            }
        };
        let (node, names) = if self.take("?:") {
            self.choice()?
        } else if self.take("?=") {
            self.body(look(false, false))?
        } else if self.take("?!") {
            self.body(look(false, true))?
        } else if self.take("?<=") {
            self.body(look(true, false))?
        } else if self.take("?<!") {
            self.body(look(true, true))?
        } else if self.take("?<") {
            self.at -= 1;
            let Some(name) = group_name(&self.source[self.at..]) else {
                return self.error("the group has no valid name");
            };
            self.at += name.chars().count() + 2;
            let (node, mut names) = self.capture()?;
            if names.contains(&name) {
                self.at = start;
                return self.error("two groups have the same name");
            }
            names.push(name);
            (node, names)
        } else if self.take("?") {
            let outside = self.modifiers;
            self.modifiers = self.modifiers()?;
            let inside = self.choice();
            self.modifiers = outside;
            inside?
        } else {
            self.capture()?
        };
        if !self.take(")") {
            return self.error("unbalanced parenthesis");
        }
        Ok((node, names))
    }

    fn body(&mut self, wrap: impl FnOnce(Node) -> Node) -> Result<(Node, Names), SyntaxError> {
        let (body, names) = self.choice()?;
        Ok((wrap(body), names))
    }

    fn capture(&mut self) -> Result<(Node, Names), SyntaxError> {
        let group = self.groups;
        self.groups += 1;
        self.body(|body| Node::Capture {
            group,
            body: Box::new(body),
        })
    }

    /// `i-s:`
    fn modifiers(&mut self) -> Result<Modifiers, SyntaxError> {
        let mut modifiers = self.modifiers;
        let mut seen = Vec::new();
        let mut value = true;
        loop {
            let c = self.next();
            let modifier = match c {
                Some('i') => &mut modifiers.ignores_case,
                Some('m') => &mut modifiers.multiline,
                Some('s') => &mut modifiers.dot_matches_line_ends,
                Some('-') if value => {
                    value = false;
                    continue;
                }
                Some(':') if !seen.is_empty() => return Ok(modifiers),
                _ => return self.error("the group has no valid modifiers"),
            };
            *modifier = value;
            if seen.contains(&c) {
                return self.error("a modifier is repeated");
            }
            seen.push(c);
        }
    }

    /// A backslash outside a class.
    fn escape(&mut self) -> Result<Node, SyntaxError> {
        let start = self.at;
        let ignores_case = self.modifiers.ignores_case;
        match self.peek() {
            Some(c @ ('b' | 'B')) => {
                self.at += 1;
                return Ok(Node::WordBoundary { inverted: c == 'B' });
            }
            Some('k') if !self.declared.names.is_empty() => {
                let Some(name) = group_name(&self.source[self.at + 1..]) else {
                    return self.error("\\k is not followed by the name of a group");
                };
                let Some(groups) = self.declared.names.get(&name).cloned() else {
                    return self.error(format!("\\k<{name}> names no group"));
                };
                self.at += name.chars().count() + 3;
                return Ok(Node::BackReference {
                    groups,
                    ignores_case,
                });
            }
            Some('1'..='9') => {
                if let Some(number) = self.number()
                    && number <= self.declared.count
                {
                    return Ok(Node::BackReference {
                        groups: vec![number - 1],
                        ignores_case,
                    });
                }
                self.at = start;
            }
            _ => {}
        }
        Ok(match self.character_or_class()? {
            Escape::Char(c) => self.char(c),
            Escape::Class(ranges) => self.set(ranges, false),
        })
    }

    /// An escape, inside or outside of a class.
    fn character_or_class(&mut self) -> Result<Escape, SyntaxError> {
        let Some(c) = self.next() else {
            return self.error("nothing follows the backslash");
        };
        let code = match c {
            'd' => return Ok(Escape::Class(set::DIGITS.to_vec())),
            'D' => return Ok(Escape::Class(set::complement(set::DIGITS))),
            's' => return Ok(Escape::Class(set::SPACES.to_vec())),
            'S' => return Ok(Escape::Class(set::complement(set::SPACES))),
            'w' => return Ok(Escape::Class(set::WORD.to_vec())),
            'W' => return Ok(Escape::Class(set::complement(set::WORD))),
            't' => 0x09,
            'n' => 0x0A,
            'v' => 0x0B,
            'f' => 0x0C,
            'r' => 0x0D,
            'c' => match self.peek() {
                Some(letter) if letter.is_ascii_alphabetic() => {
                    self.at += 1;
                    u32::from(letter) % 32
                }
                _ => {
                    // A literal backslash before a literal letter.
                    self.at -= 1;
                    u32::from('\\')
                }
            },
            'x' => self.hexadecimal(2).unwrap_or(c.into()),
            'u' => self.code_point().unwrap_or(c.into()),
            '0'..='7' => self.octal(c),
            _ => c.into(),
        };
        Ok(Escape::Char(code))
    }

    /// A legacy octal escape after its first digit: at most `\377`.
    fn octal(&mut self, first: char) -> u32 {
        let mut code = u32::from(first) - u32::from('0');
        let more = if first <= '3' { 2 } else { 1 };
        for _ in 0..more {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(8)) else {
                break;
            };
            self.at += 1;
            code = code * 8 + digit;
        }
        code
    }

    fn hexadecimal(&mut self, digits: usize) -> Option<u32> {
        let text = self.source.get(self.at..self.at + digits)?;
        let mut code = 0;
        for c in text {
            code = code * 16 + c.to_digit(16)?;
        }
        self.at += digits;
        Some(code)
    }

    /// After `\u`: four digits, a surrogate pair, or a code point in braces.
    fn code_point(&mut self) -> Option<u32> {
        let start = self.at;
        if self.take("{") {
            let mut code: u32 = 0;
            while let Some(digit) = self.peek().and_then(|c| c.to_digit(16)) {
                self.at += 1;
                code = code.saturating_mul(16).saturating_add(digit);
            }
            let valid = self.at > start + 1 && code <= u32::from(char::MAX) && self.take("}");
            if !valid {
                self.at = start;
            }
            return valid.then_some(code);
        }
        let first = self.hexadecimal(4)?;
        let between = self.at;
        if (0xD800..0xDC00).contains(&first)
            && self.take("\\u")
            && let Some(second @ 0xDC00..0xE000) = self.hexadecimal(4)
        {
            return Some(0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00));
        }
        self.at = between;
        Some(first)
    }

    /// After an opening bracket.
    fn class(&mut self) -> Result<Node, SyntaxError> {
        let inverted = self.take("^");
        let mut ranges = Vec::new();
        loop {
            let Some(first) = self.class_atom()? else {
                return Ok(self.set(ranges, inverted));
            };
            let dash = self.at;
            let second = if self.take("-") && self.peek() != Some(']') {
                self.class_atom()?
            } else {
                self.at = dash;
                None
            };
            match (first, second) {
                (Escape::Char(first), Some(Escape::Char(last))) if first > last => {
                    self.at = dash;
                    return self.error("the ends of the range are in the wrong order");
                }
                (Escape::Char(first), Some(Escape::Char(last))) => ranges.push((first, last)),
                (first, second) => {
                    // A dash next to a class is literal.
                    let dash = second.is_some().then_some(Escape::Char(u32::from('-')));
                    for atom in [Some(first), dash, second].into_iter().flatten() {
                        match atom {
                            Escape::Char(c) => ranges.push((c, c)),
                            Escape::Class(class) => ranges.extend(class),
                        }
                    }
                }
            }
        }
    }

    /// An element of a class, or `None` at its end.
    fn class_atom(&mut self) -> Result<Option<Escape>, SyntaxError> {
        let Some(c) = self.next() else {
            return self.error("the class has no closing bracket");
        };
        if c == ']' {
            return Ok(None);
        }
        if c != '\\' {
            return Ok(Some(Escape::Char(c.into())));
        }
        match (self.peek(), self.source.get(self.at + 1)) {
            (Some('b'), _) => {
                self.at += 1;
                Ok(Some(Escape::Char(0x08)))
            }
            (Some('c'), Some(&control)) if control.is_ascii_digit() || control == '_' => {
                self.at += 2;
                Ok(Some(Escape::Char(u32::from(control) % 32)))
            }
            _ => self.character_or_class().map(Some),
        }
    }
}
