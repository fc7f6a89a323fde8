//! Reads the notation.

use super::layout::{self, NodeBounds};
use super::line::{Line, Problem, Word};
use super::{COMMON_PACKAGE, SCREEN, words};
use crate::{NodeSpec, Rect, Role, ScrollDirections, Size, TreeBuilder, UiTree, WindowKind};
use std::fmt;
use std::sync::Arc;

/// Position and cause of an error in the notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    /// Line, from 1.
    pub line: u32,
    /// Character in the line, from 1.
    pub column: u32,
    /// Message.
    pub message: String,
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            line,
            column,
            message,
        } = self;
        write!(f, "{message} (line {line}, column {column})")
    }
}

impl std::error::Error for NotationError {}

impl UiTree {
    /// Reads a screen in the notation that [`to_notation`](UiTree::to_notation) writes; bounds may be left out.
    ///
    /// ```
    /// # use uitree::{Query, UiTree};
    /// let screen = UiTree::parse_notation("
    ///     column
    ///       title \"Sign in\"
    ///       button \"OK\" #login clickable
    /// ").unwrap();
    /// assert!(screen.find(&Query::new().text("OK")).is_some());
    /// ```
    ///
    /// # Errors
    ///
    /// Unknown and repeated parts of a line are errors with their line and column.
    pub fn parse_notation(text: &str) -> Result<UiTree, NotationError> {
        let mut reader = Reader::default();
        let mut last_window = (0, "");
        for (number, line) in text.lines().enumerate() {
            let window = reader.window.is_some();
            reader
                .line(line)
                .map_err(|problem| error(number, line, problem))?;
            if reader.window.is_some() && !window {
                last_window = (number, line);
            }
        }
        if reader.window.is_some() {
            let (number, line) = last_window;
            let at = line.len() - line.trim_start().len();
            return Err(error(number, line, (at, "this window has no node".into())));
        }
        Ok(reader.finish())
    }
}

fn error(number: usize, line: &str, (at, message): Problem) -> NotationError {
    let before = &line[..line.floor_char_boundary(at)];
    NotationError {
        line: number as u32 + 1,
        column: before.chars().count() as u32 + 1,
        message,
    }
}

/// A node as written.
struct Draft {
    depth: u32,
    spec: NodeSpec,
    /// Owner, if given.
    owner: Option<Arc<str>>,
    place: NodeBounds,
    /// Its window, if it is a root with one.
    window: Option<WindowLine>,
}

struct WindowLine {
    kind: WindowKind,
    layer: i32,
    active: Option<bool>,
    title: String,
    owner: Arc<str>,
    bounds: Option<Rect>,
}

#[derive(Default)]
struct Reader {
    screen: Option<(Size, u8)>,
    drafts: Vec<Draft>,
    /// Indentations of the open nodes, the outermost first.
    indents: Vec<usize>,
    window: Option<WindowLine>,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), Problem> {
        let rest = line.trim_start();
        if rest.is_empty() || rest.starts_with("//") {
            return Ok(());
        }
        let space = line.len() - rest.len();
        let mut line = Line::new(line, space);
        let Some(first) = line.word()? else {
            return Ok(());
        };
        if first.quoted.is_some() {
            return Err((
                first.at,
                "a line begins with a role, `node`, `window` or `screen`".into(),
            ));
        }
        match first.head {
            "screen" => self.screen(&mut line, &first),
            "window" => self.window(&mut line, &first),
            _ => {
                let (indent, first) = match first.head.strip_prefix('~') {
                    None => (space, first),
                    Some(level) => {
                        let level: usize = level
                            .parse()
                            .map_err(|_| (first.at, "`~` is followed by a level".to_owned()))?;
                        let Some(role) = line.word()? else {
                            return Err((first.at, "a role is missing".into()));
                        };
                        (level.saturating_mul(2), role)
                    }
                };
                self.node(&mut line, &first, indent)
            }
        }
    }

    fn screen(&mut self, line: &mut Line<'_>, first: &Word<'_>) -> Result<(), Problem> {
        if self.screen.is_some() || !self.drafts.is_empty() || self.window.is_some() {
            return Err((
                first.at,
                "`screen` is allowed once, on the first line".into(),
            ));
        }
        let (mut size, mut rotation) = (SCREEN, 0);
        while let Some(word) = line.word()? {
            let turns = word
                .head
                .strip_prefix("rotation=")
                .and_then(|turns| turns.parse().ok());
            if let Some(turns @ 0..4) = turns {
                rotation = turns;
            } else if let Some(parsed) = parse_size(word.head) {
                size = parsed;
            } else {
                return Err((
                    word.at,
                    "a screen is written as `screen 1080x2400 rotation=1`".into(),
                ));
            }
        }
        self.screen = Some((size, rotation));
        Ok(())
    }

    fn window(&mut self, line: &mut Line<'_>, first: &Word<'_>) -> Result<(), Problem> {
        if self.window.is_some() {
            return Err((first.at, "the previous window has no node".into()));
        }
        let mut window = WindowLine {
            kind: WindowKind::Application,
            layer: 0,
            active: None,
            title: String::new(),
            owner: Arc::default(),
            bounds: None,
        };
        while let Some(word) = line.word()? {
            let Word { at, head, quoted } = word;
            match (head, quoted) {
                ("", Some(title)) => window.title = title,
                ("active", None) => window.active = Some(true),
                ("inactive", None) => window.active = Some(false),
                (head, None) if head.starts_with("layer=") => {
                    window.layer = head["layer=".len()..]
                        .parse()
                        .map_err(|_| (at, "a layer is a whole number".to_owned()))?;
                }
                ("owner=", Some(owner)) => window.owner = owner.into(),
                (head, None) if head.starts_with("owner=") => {
                    window.owner = head["owner=".len()..].into();
                }
                (head, None) if head.starts_with('[') => {
                    let bounds = parse_bounds(head).filter(|bounds| !bounds.is_empty());
                    window.bounds = Some(
                        bounds.ok_or_else(|| (at, "the window's bounds are empty".to_owned()))?,
                    );
                }
                (head, None) if let Some(kind) = WindowKind::parse(head) => window.kind = kind,
                (head, _) => return Err((at, format!("`{head}` is not part of a window line"))),
            }
        }
        self.window = Some(window);
        self.indents.clear();
        Ok(())
    }

    fn node(
        &mut self,
        line: &mut Line<'_>,
        first: &Word<'_>,
        indent: usize,
    ) -> Result<(), Problem> {
        let role = match (first.head, &first.quoted) {
            ("node", None) => None,
            (name, None) if let Some(role) = Role::parse(name) => Some(role),
            (name, _) => return Err((first.at, format!("`{name}` is no role"))),
        };
        let mut draft = Draft {
            depth: self.depth(indent, first.at)?,
            spec: NodeSpec {
                role,
                state: words::DEFAULT,
                ..NodeSpec::default()
            },
            owner: None,
            place: NodeBounds::Stacked,
            window: None,
        };
        let mut set_fields = SetFields::default();
        while let Some(word) = line.word()? {
            let at = word.at;
            draft
                .word(word, &mut set_fields)
                .map_err(|message| (at, message))?;
        }
        if draft.depth == 0 {
            draft.window = self.window.take();
        }
        self.drafts.push(draft);
        Ok(())
    }

    /// Level for an indentation.
    fn depth(&mut self, indent: usize, at: usize) -> Result<u32, Problem> {
        let outermost = self.indents.first().copied();
        self.indents.retain(|open| *open < indent);
        if self.indents.is_empty() && outermost.is_some_and(|outermost| indent < outermost) {
            return Err((at, "this is indented less than the first node".into()));
        }
        self.indents.push(indent);
        Ok(self.indents.len() as u32 - 1)
    }

    fn finish(self) -> UiTree {
        let (screen, rotation) = self.screen.unwrap_or((SCREEN, 0));
        let places: Vec<(u32, NodeBounds)> = self
            .drafts
            .iter()
            .map(|draft| (draft.depth, draft.place))
            .collect();
        let bounds = layout::place(&places, screen);
        let mut builder = TreeBuilder::new(screen, rotation);
        let mut owners: Vec<Arc<str>> = Vec::new();
        for (draft, bounds) in self.drafts.into_iter().zip(bounds) {
            while builder.depth() > draft.depth as usize {
                builder.close();
            }
            owners.truncate(draft.depth as usize);
            let mut owner = owners.last().cloned().unwrap_or_default();
            if let Some(window) = draft.window {
                let active = window.active.unwrap_or(builder.is_empty());
                builder.window(window.kind, window.layer, active, &window.title);
                builder.window_bounds(window.bounds.unwrap_or_default());
                owner = window.owner;
            }
            let owner = draft.owner.unwrap_or(owner);
            owners.push(owner.clone());
            builder.open(NodeSpec {
                bounds,
                owner,
                ..draft.spec
            });
        }
        builder.finish()
    }
}

/// Fields that a line has set, to refuse duplicates.
#[derive(Default)]
struct SetFields(Vec<&'static str>);

impl SetFields {
    fn once(&mut self, what: &'static str) -> Result<(), String> {
        if self.0.contains(&what) {
            return Err(format!("the {what} is given twice"));
        }
        self.0.push(what);
        Ok(())
    }
}

impl Draft {
    fn word(&mut self, word: Word<'_>, set_fields: &mut SetFields) -> Result<(), String> {
        let Word { head, quoted, .. } = word;
        let spec = &mut self.spec;
        match (head, quoted) {
            ("", Some(text)) => {
                set_fields.once("text")?;
                spec.text = text.into();
            }
            ("label=", Some(label)) => {
                set_fields.once("label")?;
                spec.label = label.into();
            }
            ("can-scroll=", Some(directions)) => {
                set_fields.once("can-scroll")?;
                spec.can_scroll = ScrollDirections::parse(&directions);
            }
            ("hint=", Some(hint)) => {
                set_fields.once("hint")?;
                spec.hint = hint.into();
            }
            ("#", Some(id)) => {
                set_fields.once("id")?;
                spec.id = id.into();
            }
            (".", Some(class)) => {
                set_fields.once("class")?;
                spec.class = class.into();
            }
            ("owner=", Some(owner)) => {
                set_fields.once("owner")?;
                self.owner = Some(owner.into());
            }
            (head, Some(value))
                if head.starts_with('@') && head.ends_with('=') && head.len() > 2 =>
            {
                let name = &head[1..head.len() - 1];
                if spec.attributes.iter().any(|(other, _)| **other == *name) {
                    return Err(format!("the attribute `{name}` is given twice"));
                }
                spec.attributes.push((name.into(), value.into()));
            }
            (head, Some(_)) => return Err(format!("`{head}` takes no string")),
            (head, None) => return self.bare(head, set_fields),
        }
        Ok(())
    }

    fn bare(&mut self, word: &str, set_fields: &mut SetFields) -> Result<(), String> {
        let spec = &mut self.spec;
        if let Some(id) = word.strip_prefix('#').filter(|id| !id.is_empty()) {
            set_fields.once("id")?;
            spec.id = id.into();
        } else if let Some(class) = word.strip_prefix('.').filter(|class| !class.is_empty()) {
            set_fields.once("class")?;
            spec.class = match class.contains('.') {
                true => class.into(),
                false => format!("{COMMON_PACKAGE}{class}").into(),
            };
        } else if let Some(owner) = word
            .strip_prefix("owner=")
            .filter(|owner| !owner.is_empty())
        {
            set_fields.once("owner")?;
            self.owner = Some(owner.into());
        } else if let Some(index) = word.strip_prefix("index=") {
            set_fields.once("index")?;
            spec.index = Some(
                index
                    .parse()
                    .map_err(|_| "an index is a whole number from 0".to_owned())?,
            );
        } else if word.starts_with('[') {
            set_fields.once("place")?;
            let bounds = parse_bounds(word)
                .ok_or("bounds are written as `[0,0][1080,2400]`, without spaces")?;
            self.place = NodeBounds::At(bounds);
        } else if word == "unplaced" {
            set_fields.once("place")?;
            self.place = NodeBounds::Nowhere;
        } else if !words::apply(&mut spec.state, word) {
            return Err(match word {
                "label=" | "hint=" | "can-scroll=" => {
                    format!("`{word}` is followed by a string in quotes")
                }
                _ => format!("`{word}` is unknown: there is no such state"),
            });
        }
        Ok(())
    }
}

fn parse_bounds(word: &str) -> Option<Rect> {
    let (first, second) = word
        .strip_prefix('[')?
        .strip_suffix(']')?
        .split_once("][")?;
    let (left, top) = first.split_once(',')?;
    let (right, bottom) = second.split_once(',')?;
    Some(Rect::new(
        left.parse().ok()?,
        top.parse().ok()?,
        right.parse().ok()?,
        bottom.parse().ok()?,
    ))
}

fn parse_size(word: &str) -> Option<Size> {
    let (width, height) = word.split_once('x')?;
    Some(Size::new(width.parse().ok()?, height.parse().ok()?))
}
