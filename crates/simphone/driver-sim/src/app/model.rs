//! An app as its file describes it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::effects::{Computed, Effects};
use super::menu::Menu;
use super::template::Template;
use super::value::{Record, Value};
use crate::choices::{AnimationChoice, Toolkit};
use crate::fault::Fault;
use crate::motion::Plays;
use crate::widget::Spec;
use draw::Color;

/// An app.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) package: Arc<str>,
    pub(crate) label: Arc<str>,
    pub(crate) icon: Arc<str>,
    /// Its key colour.
    pub(crate) color: Option<Color>,
    /// The screen it starts with.
    pub(crate) start: Arc<str>,
    pub(crate) launch: Launch,
    /// The size of the screen that it is made for.
    pub(crate) screen: Option<uitree::Size>,
    /// Whether its windows slide in; without a word of its own as the phone is set up.
    pub(crate) animations: Option<AnimationChoice>,
    pub(crate) state: Vec<(Arc<str>, Value)>,
    pub(crate) data: BTreeMap<Arc<str>, Arc<Vec<Record>>>,
    pub(crate) screens: BTreeMap<Arc<str>, Arc<Page>>,
    pub(crate) dialogs: BTreeMap<Arc<str>, Arc<Page>>,
    pub(crate) menus: BTreeMap<Arc<str>, Arc<Menu>>,
    /// The parameters of each screen.
    pub(crate) params: BTreeMap<Arc<str>, Vec<Arc<str>>>,
    /// The parameters of each dialog.
    pub(crate) dialog_params: BTreeMap<Arc<str>, Vec<Arc<str>>>,
    /// Effects that have a name.
    pub(crate) actions: BTreeMap<Arc<str>, Effects>,
    pub(crate) links: Vec<Link>,
    /// What goes wrong while the app is in front.
    pub(crate) faults: Vec<Fault>,
    /// What it asks to be allowed.
    pub(crate) permissions: std::collections::BTreeSet<crate::Permission>,
    /// Whether it shows what apps are allowed.
    pub(crate) shows_permissions: bool,
}

/// How an app starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Launch {
    /// It never comes up.
    pub(crate) fails: bool,
    /// How long it shows an empty window before its first screen.
    pub(crate) delay: Duration,
}

/// A uri that an app opens.
#[derive(Debug)]
pub(crate) struct Link {
    /// Fixed pieces and the names of what stands between them.
    pub(crate) pattern: Vec<Piece>,
    pub(crate) screen: Arc<str>,
    pub(crate) with: Vec<(Arc<str>, Computed)>,
    pub(crate) set: Vec<(Arc<str>, Computed)>,
}

/// A piece of a uri pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Fixed(String),
    Name(Arc<str>),
}

/// A screen or dialog.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) name: Arc<str>,
    pub(crate) kind: PageKind,
    pub(crate) title: Template,
    /// The class of its activity or dialog.
    pub(crate) class: Arc<str>,
    pub(crate) root: Arc<Spec>,
    pub(crate) timers: Vec<Timer>,
    pub(crate) on_open: Effects,
    /// What the keys of the device do that an app answers itself.
    pub(crate) on_menu: Effects,
    pub(crate) on_search: Effects,
    /// When something appears or vanishes by itself, counted from the opening; in order.
    pub(crate) moments: Vec<Duration>,
    pub(crate) header: Header,
    /// What it is made with, as its tree shows.
    pub(crate) toolkit: Toolkit,
    /// How the phone is held for it.
    pub(crate) orientation: Orientation,
    /// Whether it has a navigation drawer.
    pub(crate) drawer: bool,
    /// The package of its window, where that is not its app's.
    pub(crate) owner: Option<Arc<str>>,
    /// What moves on it.
    pub(crate) plays: Plays,
    /// Whether opening it while it is on top shows it anew instead of a second one.
    pub(crate) single_top: bool,
    /// When it comes to the front, and when something else does.
    pub(crate) on_resume: Effects,
    pub(crate) on_pause: Effects,
    /// What the back key does instead of leaving it; nothing when it leaves it.
    pub(crate) on_back: Effects,
    /// Whether anything in it scrolls: then the window shrinks for the keyboard, else it moves up.
    pub(crate) scrolls: bool,
    /// Whether one of its fields has the focus when it opens.
    pub(crate) auto_focus: bool,
    /// A tree that is shown as it is, in place of widgets.
    pub(crate) still: Option<Arc<super::still::Still>>,
}

/// Whether a page fills the screen or lies above one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageKind {
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
    /// Stands at the upper edge and leaves the rest of the screen to what lies below.
    Banner,
}

impl PageKind {
    /// Whether back closes it; a screen is left in another way.
    pub(crate) const fn cancelable(self) -> bool {
        match self {
            PageKind::Dialog { cancelable }
            | PageKind::Sheet { cancelable }
            | PageKind::Full { cancelable } => cancelable,
            PageKind::Popup => true,
            PageKind::Screen | PageKind::Banner => false,
        }
    }

    /// Whether what lies below is darkened.
    pub(crate) const fn dims(self) -> bool {
        matches!(self, PageKind::Dialog { .. } | PageKind::Sheet { .. })
    }
}

/// How a phone is held for a screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Orientation {
    #[default]
    Any,
    Portrait,
    Landscape,
}

/// What stands at the top of a screen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Header {
    None,
    #[default]
    Plain,
    /// One that shrinks when the content scrolls.
    Large,
}

/// Effects that a page has by itself.
#[derive(Clone, Debug)]
pub(crate) struct Timer {
    pub(crate) delay: Duration,
    pub(crate) repeats: bool,
    pub(crate) effects: Effects,
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
    /// What stands for the names of the pattern when `uri` fits it.
    pub(crate) fn fit(&self, uri: &str) -> Option<Record> {
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

    /// How much of the pattern is fixed: of two that fit, the one that says more is meant.
    pub(crate) fn weight(&self) -> usize {
        self.pattern
            .iter()
            .map(|piece| match piece {
                Piece::Fixed(text) => text.len(),
                Piece::Name(_) => 0,
            })
            .sum()
    }
}
