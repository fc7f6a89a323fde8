//! An app as its file describes it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::menu::Menu;
use crate::choices::{AnimationChoice, Toolkit};
use crate::effects::{Computed, Effects};
use crate::expr::template::Template;
use crate::expr::value::{Record, Value};
use crate::fault::Fault;
use crate::widget::Spec;
use crate::words::words;
use draw::Color;

/// An app.
#[derive(Debug)]
pub struct App {
    pub package: Arc<str>,
    pub label: Arc<str>,
    pub icon: Arc<str>,
    /// Its key colour.
    pub color: Option<Color>,
    /// The screen it starts with.
    pub start: Arc<str>,
    /// The size of the screen that it is made for.
    pub screen: Option<uitree::Size>,
    /// Whether its windows slide in; without a word of its own as the phone is set up.
    pub animations: Option<AnimationChoice>,
    pub state: Vec<(Arc<str>, Value)>,
    pub data: BTreeMap<Arc<str>, Arc<Vec<Record>>>,
    pub screens: BTreeMap<Arc<str>, Arc<Page>>,
    pub dialogs: BTreeMap<Arc<str>, Arc<Page>>,
    pub menus: BTreeMap<Arc<str>, Arc<Menu>>,
    /// The parameters of each screen.
    pub params: BTreeMap<Arc<str>, Vec<Arc<str>>>,
    /// The parameters of each dialog.
    pub dialog_params: BTreeMap<Arc<str>, Vec<Arc<str>>>,
    /// Effects that have a name.
    pub actions: BTreeMap<Arc<str>, Effects>,
    pub links: Vec<Link>,
    /// What goes wrong while the app is in front.
    pub faults: Vec<Fault>,
}

/// A uri that an app opens.
#[derive(Debug)]
pub struct Link {
    /// Fixed pieces and the names of what is between them.
    pub pattern: Vec<Piece>,
    pub screen: Arc<str>,
    pub with: Vec<(Arc<str>, Computed)>,
    pub set: Vec<(Arc<str>, Computed)>,
}

/// A piece of a uri pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Fixed(String),
    Name(Arc<str>),
}

/// A screen or dialog.
#[derive(Debug)]
pub struct Page {
    pub name: Arc<str>,
    pub kind: PageKind,
    pub title: Template,
    /// The class of its activity or dialog.
    pub class: Arc<str>,
    pub root: Arc<Spec>,
    pub timers: Vec<Timer>,
    pub on_open: Effects,
    /// When something appears or vanishes by itself, counted from the opening; in order.
    pub moments: Vec<Duration>,
    pub header: Header,
    /// What it is made with, as its tree shows.
    pub toolkit: Toolkit,
    /// How the phone is held for it.
    pub orientation: Orientation,
    /// Whether it has a navigation drawer.
    pub drawer: bool,
    /// The package of its window, where that is not its app's.
    pub owner: Option<Arc<str>>,
    /// Whether anything on it goes a way by itself.
    pub travels: bool,
    /// When it comes to the front, and when something else does.
    pub on_resume: Effects,
    pub on_pause: Effects,
    /// What the back key does instead of leaving it; nothing when it leaves it.
    pub on_back: Effects,
    /// Whether anything in it scrolls: then the window shrinks for the keyboard, else it moves up.
    pub scrolls: bool,
    /// Whether one of its fields has the focus when it opens.
    pub auto_focus: bool,
    /// A tree that is shown as it is, in place of widgets.
    pub static_screen: Option<Arc<super::StaticScreen>>,
}

impl Page {
    /// A page that does nothing and shows `root` in a window of this class.
    pub fn new(name: &str, kind: PageKind, class: &str, root: Spec) -> Self {
        Self {
            name: Arc::from(name),
            kind,
            title: Template::default(),
            class: Arc::from(class),
            root: Arc::new(root),
            timers: Vec::new(),
            on_open: Effects::default(),
            on_resume: Effects::default(),
            on_pause: Effects::default(),
            on_back: Effects::default(),
            moments: Vec::new(),
            header: Header::None,
            toolkit: Toolkit::Views,
            orientation: Orientation::Any,
            drawer: false,
            owner: None,
            travels: false,
            scrolls: false,
            auto_focus: false,
            static_screen: None,
        }
    }
}

/// Whether a page fills the screen or is above one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageKind {
    Screen,
    Dialog {
        /// Whether back and a tap beside it close it.
        cancelable: bool,
    },
    /// Stands at the lower edge.
    Sheet {
        /// Whether back, a tap above it and a pull down close it.
        cancelable: bool,
    },
    /// Fills the screen above the one that opened it.
    Full {
        /// Whether back closes it.
        cancelable: bool,
    },
    /// A list at the widget that opened it.
    Popup,
    /// Stands at the upper edge and leaves the rest of the screen to what is below.
    Banner,
}

impl PageKind {
    /// Whether back closes it; a screen is left in another way.
    pub const fn cancelable(self) -> bool {
        match self {
            PageKind::Dialog { cancelable }
            | PageKind::Sheet { cancelable }
            | PageKind::Full { cancelable } => cancelable,
            PageKind::Popup => true,
            PageKind::Screen | PageKind::Banner => false,
        }
    }

    /// Whether what is below is darkened.
    pub const fn dims(self) -> bool {
        matches!(self, PageKind::Dialog { .. } | PageKind::Sheet { .. })
    }
}

words! {
    /// How a phone is held for a screen.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Orientation {
        #[default]
        Any = "any",
        Portrait = "portrait",
        Landscape = "landscape",
    }
}

words! {
    /// What is at the top of a screen.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub enum Header {
        None = "none",
        #[default]
        Plain = "plain",
        /// One that shrinks when the content scrolls.
        Large = "large",
    }
}

/// Effects that a page has by itself.
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
    /// What represents the names of the pattern when `uri` fits it.
    pub fn fit(&self, uri: &str) -> Option<Record> {
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

    /// How much of the pattern is fixed: of two that fit, the longer one wins.
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
