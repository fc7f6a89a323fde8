//! Reads documents.

use super::attributes::{NodeAttributes, WindowAttributes, parse_bounds};
use super::defaults::is_true;
use super::scan::{Scanner, Tag, TagToken};
use super::{MAX_BYTES, MAX_DEPTH, MAX_NODES, XmlError, XmlErrorKind, decode, defaults, tools};
use crate::{Display, NodeSpec, Size, State, TreeBuilder, UiTree, WindowKind};

impl UiTree {
    /// Reads a screen from a `hierarchy_xml` document.
    ///
    /// Accepted are a byte order mark, UTF-16 with any declaration, log lines around the document, a missing
    /// declaration, elements named `node` or by class, missing, reordered and unknown attributes (kept in
    /// [`Node::attributes`](crate::Node::attributes)), and control characters and line breaks in values (CRLF becomes
    /// LF). A document of `dump --windows` gives the windows of display 0 with their layers;
    /// [`parse_displays_xml`](Self::parse_displays_xml) gives all displays.
    ///
    /// `screen` is the size of the screen. The default is that of the document, else the size that contains all
    /// windows and the `width` and `height` of Appium.
    ///
    /// # Errors
    ///
    /// Broken, truncated and foreign documents are errors with a position. Messages of tools and shells instead of a
    /// dump have error kinds of their own.
    pub fn parse_hierarchy_xml(bytes: &[u8], screen: Option<Size>) -> Result<UiTree, XmlError> {
        let displays = UiTree::parse_displays_xml(bytes, screen)?;
        let driven = displays.into_iter().find(|display| display.id == 0);
        match driven {
            Some(display) if !display.tree.is_empty() => Ok(display.tree),
            _ => {
                let message = "display 0 has no node".to_owned();
                Err(XmlError::at("", 0, XmlErrorKind::NoNode, message))
            }
        }
    }

    /// Reads all displays of a document, in order. A document without displays is display 0. `screen` is the size of
    /// display 0.
    ///
    /// # Errors
    ///
    /// As [`parse_hierarchy_xml`](Self::parse_hierarchy_xml), but displays may be without nodes.
    pub fn parse_displays_xml(
        bytes: &[u8],
        screen: Option<Size>,
    ) -> Result<Vec<Display>, XmlError> {
        if bytes.len() > MAX_BYTES {
            let message = format!(
                "the document has {} bytes, more than {MAX_BYTES}",
                bytes.len()
            );
            return Err(XmlError::at("", 0, XmlErrorKind::TooLarge, message));
        }
        let text = decode::decode(bytes);
        let begin = find_document(&text)?;
        Reader::new(&text, begin).read(screen)
    }
}

/// Byte position of the document in the text.
fn find_document(text: &str) -> Result<usize, XmlError> {
    let root = ["<hierarchy", "<displays"]
        .iter()
        .filter_map(|root| find_root(text, root))
        .min();
    let start = text.len() - text.trim_start().len();
    let head = &text[start..];
    let declaration = match root {
        // A comment before the document may contain anything.
        _ if head.starts_with("<!") => Some(start),
        Some(root) => text[..root].rfind("<?xml"),
        None => text.find("<?xml"),
    };
    let looks_like_xml = || {
        let mut chars = head.chars();
        let tag = chars.next() == Some('<') && chars.next().is_some_and(char::is_alphabetic);
        tag.then_some(start)
    };
    let Some(begin) = declaration.or(root).or_else(looks_like_xml) else {
        let (at, kind, message) = tools::instead(text);
        return Err(XmlError::at(text, at, kind, message));
    };
    match tools::spoiled(&text[..begin]) {
        Some((at, kind, meaning)) => Err(XmlError::at(
            text,
            at,
            kind,
            format!("{meaning}; the document that follows is an older one"),
        )),
        None => Ok(begin),
    }
}

/// Position of an element with exactly this name.
fn find_root(text: &str, root: &str) -> Option<usize> {
    memchr::memmem::find_iter(text.as_bytes(), root).find(|at| {
        let next = text.as_bytes().get(at + root.len());
        next.is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'))
    })
}

/// Kind of an open element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    /// `hierarchy`, and the frames of `dump --windows`.
    Frame,
    Node,
}

struct Reader<'a> {
    scanner: Scanner<'a>,
    text: &'a str,
    /// Displays so far; the last one is being read.
    displays: Vec<DisplayReader>,
    /// Open elements with names and positions.
    open: Vec<(&'a str, usize, Element)>,
    /// Whether windows have frames.
    framed: bool,
    /// Screen size in the document.
    stated: Option<Size>,
    /// Size from Appium, without system bars.
    least: Size,
}

/// A display being read.
struct DisplayReader {
    id: u32,
    builder: TreeBuilder,
    /// Open frames of windows. Nested windows come before nodes.
    frames: Vec<Frame>,
    /// Attributes of each window with nodes.
    windows: Vec<WindowAttributes>,
    unread: Vec<String>,
    rotation: u8,
}

/// Frame of a window.
#[derive(Default)]
struct Frame {
    window_attributes: WindowAttributes,
    has_nodes: bool,
}

impl DisplayReader {
    fn new(id: u32) -> Self {
        Self {
            id,
            builder: TreeBuilder::new(Size::default(), 0),
            frames: Vec::new(),
            windows: Vec::new(),
            unread: Vec::new(),
            rotation: 0,
        }
    }

    /// Starts the window of the next root. Kind and activity are set at the end.
    fn window(&mut self, window_attributes: WindowAttributes) {
        self.builder.window(
            WindowKind::Application,
            window_attributes.layer.unwrap_or(0),
            false,
            window_attributes.title.as_deref().unwrap_or_default(),
        );
        self.windows.push(window_attributes);
    }

    /// Ends the frame of a window. A window without nodes still covers others; the title of an application window is
    /// recorded as unread.
    fn end_window(&mut self) {
        let Some(Frame {
            window_attributes,
            has_nodes: false,
        }) = self.frames.pop()
        else {
            return;
        };
        match (window_attributes.kind, window_attributes.bounds) {
            (Some(WindowKind::Application), _) => self
                .unread
                .push(window_attributes.title.unwrap_or_default()),
            (Some(_), Some(bounds)) if !bounds.is_empty() => {
                self.window(window_attributes);
                self.builder.open(NodeSpec {
                    bounds: Some(bounds),
                    state: State::ENABLED | State::VISIBLE,
                    ..NodeSpec::default()
                });
                self.builder.close();
            }
            (None | Some(_), _) => {}
        }
    }

    fn finish(mut self, screen: Option<Size>, least: Size) -> Display {
        let roots = || {
            let nodes = self.builder.nodes();
            nodes.iter().filter(|node| node.parent.is_none())
        };
        let held = defaults::screen(roots());
        let defaults = defaults::windows(roots());
        let bounds: Vec<_> = roots().map(|root| root.bounds).collect();
        let least = Size::new(held.width.max(least.width), held.height.max(least.height));
        self.builder
            .set_frame(screen.unwrap_or(least), self.rotation);
        let windows = self.builder.windows_mut().iter_mut();
        for (((window, window_attributes), default), root) in
            windows.zip(&self.windows).zip(defaults).zip(bounds)
        {
            window.kind = window_attributes.kind.unwrap_or(default.kind);
            window.active = window_attributes.active.unwrap_or(default.active);
            window.bounds = window_attributes
                .bounds
                .filter(|bounds| !bounds.is_empty() && root != Some(*bounds));
        }
        Display {
            id: self.id,
            tree: self.builder.finish(),
            unread: self.unread,
        }
    }
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, begin: usize) -> Self {
        Self {
            scanner: Scanner::new(text, begin),
            text,
            displays: Vec::new(),
            open: Vec::new(),
            framed: false,
            stated: None,
            least: Size::default(),
        }
    }

    /// Whether no node is open.
    fn between_windows(&self) -> bool {
        let last = self.displays.last();
        last.is_none_or(|display| display.builder.depth() == 0)
    }

    /// The display being read.
    fn display(&mut self) -> &mut DisplayReader {
        if self.displays.is_empty() {
            self.displays.push(DisplayReader::new(0));
        }
        let last = self.displays.len() - 1;
        &mut self.displays[last]
    }

    fn read(mut self, screen: Option<Size>) -> Result<Vec<Display>, XmlError> {
        let mut has_root = false;
        loop {
            match self.scanner.tag()? {
                Tag::Open(name) => {
                    self.element(name, has_root)?;
                    has_root = true;
                }
                Tag::Close(name) => self.close(name)?,
                Tag::End => return Err(self.unfinished()),
            }
            if has_root && self.open.is_empty() {
                return self.finish(screen);
            }
        }
    }

    fn element(&mut self, name: &'a str, has_root: bool) -> Result<(), XmlError> {
        let begin = self.scanner.at() - name.len() - 1;
        if !has_root && name != "hierarchy" && name != "displays" {
            let message = format!("this is not a screen: its root is `{name}`, not `hierarchy`");
            return Err(self
                .scanner
                .error(begin, XmlErrorKind::NotHierarchy, message));
        }
        if self.open.len() >= MAX_DEPTH {
            let message = format!("elements are nested more than {MAX_DEPTH} deep");
            return Err(self.scanner.error(begin, XmlErrorKind::TooDeep, message));
        }
        self.framed |= name == "displays";
        let frame = !has_root
            || (self.framed
                && self.between_windows()
                && matches!(name, "hierarchy" | "display" | "windows" | "window"));
        let empty = match frame {
            true => self.frame(name)?,
            false => self.node(name, begin)?,
        };
        let element = if frame { Element::Frame } else { Element::Node };
        if empty {
            self.end(name, element);
        } else {
            self.open.push((name, begin, element));
        }
        Ok(())
    }

    fn end(&mut self, name: &str, element: Element) {
        match element {
            Element::Node => self.display().builder.close(),
            Element::Frame if name == "window" => self.display().end_window(),
            Element::Frame => {}
        }
    }

    fn close(&mut self, name: &str) -> Result<(), XmlError> {
        let at = self.scanner.at() - name.len() - 3;
        let malformed = |message| Err(self.scanner.error(at, XmlErrorKind::Malformed, message));
        match self.open.pop() {
            None => malformed(format!("`</{name}>` closes nothing")),
            Some((open, begin, _)) if open != name => {
                let (line, _) = super::error::position(self.text, begin);
                malformed(format!(
                    "`</{name}>` where `</{open}>`, opened in line {line}, was expected"
                ))
            }
            Some((_, _, element)) => {
                self.end(name, element);
                Ok(())
            }
        }
    }

    fn unfinished(&self) -> XmlError {
        let message = match self.open.last() {
            Some((name, begin, _)) => {
                let (line, _) = super::error::position(self.text, *begin);
                format!("the document ends before `<{name}>`, opened in line {line}, is closed")
            }
            None => "the document ends before its first element".into(),
        };
        self.scanner
            .error(self.text.len(), XmlErrorKind::Truncated, message)
    }

    /// Reads the attributes of a frame, and returns whether it is empty.
    fn frame(&mut self, name: &str) -> Result<bool, XmlError> {
        if name == "window" {
            self.display().frames.push(Frame::default());
        } else if name == "display" {
            self.displays.push(DisplayReader::new(0));
        }
        let mut size = (None, None);
        let empty = loop {
            let (key, value, at) = match self.scanner.inside()? {
                TagToken::Attribute(key, value, at) => (key, value, at),
                TagToken::Content => break false,
                TagToken::Empty => break true,
            };
            let malformed = |reader: &Self, message: &str| {
                let message = message.to_owned();
                reader.scanner.error(at, XmlErrorKind::Malformed, message)
            };
            match (name, key) {
                ("hierarchy", "rotation") => {
                    self.display().rotation = value.trim().parse().map_or(0, |turns: u8| turns % 4);
                }
                ("hierarchy", "width") => size.0 = value.trim().parse().ok(),
                ("hierarchy", "height") => size.1 = value.trim().parse().ok(),
                ("hierarchy", "screen") => match parse_size(&value) {
                    Some(size) => self.stated = Some(size),
                    None => {
                        let message = "the size of the screen is not written as `1080x2400`";
                        return Err(malformed(self, message));
                    }
                },
                ("display", "id") => match value.trim().parse() {
                    Ok(id) => self.display().id = id,
                    Err(_) => {
                        let message = "the id of a display is not a whole number";
                        return Err(malformed(self, message));
                    }
                },
                ("window", "bounds") => {
                    let bounds =
                        parse_bounds(&value).map_err(|message| malformed(self, &message))?;
                    if let Some(frame) = self.display().frames.last_mut() {
                        frame.window_attributes.bounds = bounds;
                    }
                }
                ("window", _) => {
                    let Some(frame) = self.display().frames.last_mut() else {
                        continue;
                    };
                    let window_attributes = &mut frame.window_attributes;
                    match key {
                        "type" => window_attributes.kind = framed_kind(&value),
                        "layer" => window_attributes.layer = value.trim().parse().ok(),
                        "active" => window_attributes.active = Some(is_true(&value)),
                        "title" => window_attributes.title = Some(value.into_owned()),
                        _ => {}
                    }
                }
                _ => {}
            }
        };
        if let (Some(width), Some(height)) = size {
            self.least = Size::new(width, height);
        }
        Ok(empty)
    }

    /// Reads the attributes of a node, and returns whether it is empty.
    fn node(&mut self, name: &str, begin: usize) -> Result<bool, XmlError> {
        let nodes: usize = self.displays.iter().map(|one| one.builder.len()).sum();
        if nodes >= MAX_NODES {
            let message = format!("the screen has more than {MAX_NODES} nodes");
            return Err(self.scanner.error(begin, XmlErrorKind::TooLarge, message));
        }
        // Only roots have window attributes.
        let is_root = self.between_windows();
        let mut window_attributes = WindowAttributes::default();
        if let Some(frame) = self.display().frames.last_mut().filter(|_| is_root) {
            frame.has_nodes = true;
            window_attributes = frame.window_attributes.clone();
        }
        let mut attributes = NodeAttributes::new(&mut window_attributes);
        let empty = loop {
            match self.scanner.inside()? {
                TagToken::Attribute(key, value, at) => {
                    if let Err(message) = attributes.add(key, value) {
                        return Err(self.scanner.error(at, XmlErrorKind::Malformed, message));
                    }
                }
                TagToken::Content => break false,
                TagToken::Empty => break true,
            }
        };
        let spec = attributes.into_spec(name);
        if is_root {
            self.display().window(window_attributes);
        }
        self.display().builder.open(spec);
        Ok(empty)
    }

    fn finish(self, screen: Option<Size>) -> Result<Vec<Display>, XmlError> {
        let end = self.scanner.at();
        if let Some(second) = find_root(&self.text[end..], "<hierarchy") {
            let message =
                "a second document follows the first; it is unknown which one shows the screen";
            return Err(self
                .scanner
                .error(end + second, XmlErrorKind::Malformed, message));
        }
        if self.displays.iter().all(|one| one.builder.is_empty()) {
            let message = "the document is complete but has no node";
            return Err(self.scanner.error(end, XmlErrorKind::NoNode, message));
        }
        let (screen, least) = (screen.or(self.stated), self.least);
        let displays = self.displays.into_iter().map(|display| match display.id {
            0 => display.finish(screen, least),
            _ => display.finish(None, Size::default()),
        });
        Ok(displays.collect())
    }
}

/// Reads `1080x2400`.
fn parse_size(value: &str) -> Option<Size> {
    let (width, height) = value.split_once('x')?;
    Some(Size::new(width.parse().ok()?, height.parse().ok()?))
}

/// Kind of a window in `dump --windows`.
fn framed_kind(value: &str) -> Option<WindowKind> {
    match value {
        "TYPE_APPLICATION" => Some(WindowKind::Application),
        "TYPE_INPUT_METHOD" => Some(WindowKind::InputMethod),
        "TYPE_SYSTEM" => Some(WindowKind::System),
        "TYPE_ACCESSIBILITY_OVERLAY" => Some(WindowKind::AccessibilityOverlay),
        _ => None,
    }
}
