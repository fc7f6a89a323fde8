//! The model of an app file.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::menu::Menu;
use crate::choices::{AnimationChoice, Toolkit};
use crate::effects::{Effects, ValueSource};
use crate::expr::template::Template;
use crate::expr::value::{Record, Value};
use crate::fault::Fault;
use crate::widget::Spec;
use crate::words::words;
use draw::Color;

#[derive(Debug)]
pub struct App {
    pub package: Arc<str>,
    pub label: Arc<str>,
    pub icon: Arc<str>,
    pub color: Option<Color>,
    pub start: Arc<str>,
    pub screen: Option<uitree::Size>,
    /// Whether windows are animated; by default as the phone is configured.
    pub animations: Option<AnimationChoice>,
    pub state: Vec<(Arc<str>, Value)>,
    pub data: BTreeMap<Arc<str>, Arc<Vec<Record>>>,
    pub screens: BTreeMap<Arc<str>, Arc<Page>>,
    pub dialogs: BTreeMap<Arc<str>, Arc<Page>>,
    pub menus: BTreeMap<Arc<str>, Arc<Menu>>,
    pub params: BTreeMap<Arc<str>, Vec<Arc<str>>>,
    pub dialog_params: BTreeMap<Arc<str>, Vec<Arc<str>>>,
    pub actions: BTreeMap<Arc<str>, Effects>,
    pub links: Vec<Link>,
    /// Faults that apply while the app is in front.
    pub faults: Vec<Fault>,
}

#[derive(Debug)]
pub struct Link {
    /// Fixed parts and placeholders.
    pub pattern: Vec<Piece>,
    pub screen: Arc<str>,
    pub with: Vec<(Arc<str>, ValueSource)>,
    pub set: Vec<(Arc<str>, ValueSource)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Fixed(String),
    Name(Arc<str>),
}

#[derive(Debug, Default)]
pub struct Page {
    pub name: Arc<str>,
    pub kind: PageKind,
    pub title: Template,
    /// The class of its activity or dialog.
    pub class: Arc<str>,
    pub root: Arc<Spec>,
    pub timers: Vec<Timer>,
    pub on_open: Effects,
    /// The times at which widgets appear or disappear, counted from the opening, in order.
    pub moments: Vec<Duration>,
    pub header: Header,
    /// The UI toolkit that its tree imitates.
    pub toolkit: Toolkit,
    pub orientation: Orientation,
    pub drawer: bool,
    /// The package of its window, if not that of its app.
    pub owner: Option<Arc<str>>,
    pub has_movement: bool,
    /// Effects when it comes to the front or leaves it.
    pub on_resume: Effects,
    pub on_pause: Effects,
    /// Effects of the back key; if empty, back leaves the page.
    pub on_back: Effects,
    /// Whether it contains a scroller: then the window shrinks for the keyboard, else it moves up.
    pub scrolls: bool,
    pub auto_focus: bool,
    /// A static screen that replaces its widgets.
    pub static_screen: Option<Arc<super::StaticScreen>>,
}

impl Page {
    /// Creates a page without effects that shows `root` in a window of this class.
    pub fn new(name: &str, kind: PageKind, class: &str, root: Spec) -> Self {
        Self {
            name: Arc::from(name),
            kind,
            class: Arc::from(class),
            root: Arc::new(root),
            ..Self::default()
        }
    }
}

/// The kind of a page: a screen or a kind of dialog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PageKind {
    #[default]
    Screen,
    Dialog {
        /// Whether back and a tap outside close it.
        cancelable: bool,
    },
    Sheet {
        /// Whether back, a tap outside and a swipe down close it.
        cancelable: bool,
    },
    /// A dialog that fills the screen.
    Full { cancelable: bool },
    /// A list of options at the widget that opened it.
    Popup,
    /// A banner at the upper edge; the screen below stays usable.
    Banner,
}

impl PageKind {
    /// Whether back closes a dialog; false for screens.
    pub const fn cancelable(self) -> bool {
        match self {
            PageKind::Dialog { cancelable }
            | PageKind::Sheet { cancelable }
            | PageKind::Full { cancelable } => cancelable,
            PageKind::Popup => true,
            PageKind::Screen | PageKind::Banner => false,
        }
    }

    /// Whether the screen below is dimmed.
    pub const fn dims(self) -> bool {
        matches!(self, PageKind::Dialog { .. } | PageKind::Sheet { .. })
    }
}

words! {
    #[derive(Default)]
    pub enum Orientation {
        #[default]
        Any = "any",
        Portrait = "portrait",
        Landscape = "landscape",
    }
}

words! {
    #[derive(Default)]
    pub enum Header {
        #[default]
        None = "none",
        Plain = "plain",
        /// A header that collapses when the content scrolls.
        Large = "large",
    }
}

#[derive(Clone, Debug)]
pub struct Timer {
    pub delay: Duration,
    pub repeats: bool,
    pub effects: Effects,
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pattern.iter().try_for_each(|piece| match piece {
            Piece::Fixed(text) => f.write_str(text),
            Piece::Name(name) => write!(f, "{{{name}}}"),
        })
    }
}

impl Link {
    pub fn match_uri(&self, uri: &str) -> Option<Record> {
        let mut rest = uri;
        let mut found = vec![(Arc::from("uri"), Value::text(uri))];
        let mut pieces = self.pattern.iter().peekable();
        while let Some(piece) = pieces.next() {
            match piece {
                Piece::Fixed(text) => {
                    let head = rest.get(..text.len())?;
                    if !head.eq_ignore_ascii_case(text) {
                        return None;
                    }
                    rest = rest.get(text.len()..)?;
                }
                Piece::Name(name) => {
                    let end = match pieces.peek() {
                        Some(Piece::Fixed(next)) => rest.find(next.as_str())?,
                        _ => rest.len(),
                    };
                    found.push((Arc::clone(name), Value::text(rest.get(..end)?)));
                    rest = rest.get(end..)?;
                }
            }
        }
        rest.is_empty().then(|| Arc::new(found))
    }

    /// Returns the length of the fixed parts: of two matching patterns the longer one wins.
    pub fn weight(&self) -> usize {
        self.pattern
            .iter()
            .map(|piece| match piece {
                Piece::Fixed(text) => text.len(),
                Piece::Name(_) => 0,
            })
            .sum()
    }
}
