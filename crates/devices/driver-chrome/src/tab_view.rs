//! A tab of the driver: its state, its observer, and its input.

use std::time::Duration;

use cdp::protocol::EmptyResult;
use cdp::protocol::emulation::SetFocusEmulationEnabled;
use cdp::protocol::page::{
    BringToFront, GetLayoutMetrics, IsolatedWorld, LayoutMetrics, Navigate, Reload,
};
use cdp::{Call, FrameId, Session, TargetId};
use dom::ElementId;
use driver::{Cx, Dispatch, DriverError, Loading, NodeRef, Result};
use tokio::time::Instant;
use uitree::{Rect, Size};

use crate::browser::{Browser, Tab, TabStatus};
use crate::input::{
    CssPoint, Element, ElementTarget, PageInput, Realm, Worlds, act_error, tab_error,
};
use crate::page::{DialogPart, NodeTarget, PageObservation, PageObserver, create_world};
use crate::unfinished;

/// An attached and observed tab.
pub(crate) struct TabView {
    pub(crate) tab: Tab,
    pub(crate) observer: PageObserver,
    /// The size of its window when it was attached, in CSS pixels.
    pub(crate) screen: Size,
    worlds: Worlds,
    /// The document whose root element is known.
    pub(crate) observed_document: Option<cdp::LoaderId>,
    /// Whether the crash of the page was reported to the caller.
    pub(crate) crash_reported: bool,
    /// When it last got input.
    input_at: Option<Instant>,
}

/// The initial calls to every page, sent together: each awaited answer would cost a round trip.
struct AttachCalls {
    observer: PageObserver,
    metrics: Call<LayoutMetrics>,
    world: Call<IsolatedWorld>,
}

impl AttachCalls {
    fn new(tab: &Tab) -> Result<Self> {
        let session = tab.session();
        Ok(Self {
            observer: PageObserver::with_target(session, tab.id().clone())?,
            metrics: session.call(&GetLayoutMetrics {}),
            world: session.call(&create_world(&FrameId::from(tab.id().as_str()))),
        })
    }
}

/// The target of an act on a node.
pub(crate) enum ActTarget {
    /// An element of the page.
    Element(Box<ElementTarget>),
    /// A part of its dialog.
    Dialog(DialogPart),
}

impl TabView {
    /// Attaches to a tab and brings it to the front. A crashed page is reloaded.
    pub(crate) async fn attach(cx: &Cx, browser: &Browser, id: &TargetId) -> Result<Self> {
        let tab = cx.run(browser.attach(id)).await?.map_err(act_error)?;
        Self::open(cx, tab).await
    }

    /// Like [`attach`](Self::attach), for an attached tab.
    pub(crate) async fn open(cx: &Cx, tab: Tab) -> Result<Self> {
        drop(bring_to_front(&tab));
        let mut pending = AttachCalls::new(&tab)?;
        let mut state = cx.run(tab.ready()).await?;
        if state.status == TabStatus::Crashed {
            state = reload_crashed(cx, &tab).await?;
            pending = AttachCalls::new(&tab)?;
        }
        if let Some(lost) = tab_error(&state.status, Dispatch::NotSent) {
            return Err(lost);
        }
        let metrics = match cx.run(pending.metrics).await? {
            Ok(metrics) => metrics,
            // The page was replaced by another.
            Err(_) => {
                let retried = tab.session().call(&GetLayoutMetrics {});
                cx.run(retried).await?.map_err(act_error)?
            }
        };
        let mut view = Self {
            tab,
            observer: pending.observer,
            screen: screen_of(&metrics),
            worlds: Worlds::default(),
            observed_document: None,
            crash_reported: false,
            input_at: None,
        };
        // A world that could not be created is created on demand.
        if let Ok(world) = cx.run(pending.world).await? {
            let context = world.execution_context_id;
            let page = Realm::root(view.tab.session());
            view.worlds.set_context(&page, context);
            view.observer.set_main_world(context);
        }
        Ok(view)
    }

    /// Ends focus emulation.
    pub(crate) fn release_focus(&self) {
        let blur = SetFocusEmulationEnabled { enabled: false };
        drop(self.tab.session().call(&blur));
    }

    /// Brings it to the front again; the answer need not be awaited.
    pub(crate) fn resume(&self) -> Call<EmptyResult> {
        bring_to_front(&self.tab)
    }

    /// The session of the page.
    pub(crate) fn session(&self) -> Session {
        self.tab.session().clone()
    }

    /// The context of input to the page.
    pub(crate) fn input<'a>(&'a mut self, cx: &'a Cx) -> PageInput<'a> {
        self.worlds
            .clear_if_documents_changed(self.observer.document_changes());
        self.tab.note_input();
        self.input_at = Some(Instant::now());
        PageInput::new(cx, &self.tab, &mut self.worlds)
    }

    /// Reloads a crashed page.
    pub(crate) async fn recover(&mut self, cx: &Cx) -> Result<()> {
        if self.tab.state().status != TabStatus::Crashed {
            return Ok(());
        }
        reload_crashed(cx, &self.tab).await?;
        self.worlds = Worlds::default();
        self.crash_reported = false;
        self.observer = PageObserver::with_target(self.tab.session(), self.tab.id().clone())?;
        Ok(())
    }

    /// What the page has started to load within this time.
    pub(crate) fn loading(&self, within: Duration) -> Loading {
        if self.observer.dialog().is_some() {
            // The page is blocked until it is answered.
            return Loading::default();
        }
        let seen = self.observer.last();
        Loading {
            busy_parts: seen.map_or(0, |seen| unfinished::busy_parts(&seen.dom))
                + self.observer.spinners(),
            main_is_empty: seen.is_some_and(|seen| unfinished::main_is_empty(&seen.dom)),
            animated: self.observer.animated(),
            unchanged_since: self.observer.unchanged_since().max(self.input_at),
            timers: self.observer.timers(),
            is_blank: self
                .tab
                .state()
                .document
                .is_some_and(|document| document.url == "about:blank"),
            ..self.tab.loading(within)
        }
    }

    /// The target of an act on a node of the last observation.
    pub(crate) fn act_target(&self, node: NodeRef) -> Result<ActTarget> {
        let seen = self.observer.last().ok_or(DriverError::Stale)?;
        if seen.observation.revision != node.revision {
            return Err(DriverError::Stale);
        }
        let id = match seen.target_of(node.node) {
            Some(NodeTarget::Element(id)) => id,
            Some(NodeTarget::Dialog(part)) => return Ok(ActTarget::Dialog(part)),
            None => return Err(DriverError::Stale),
        };
        let found = seen.dom.element(id);
        let frames = seen.frames_around(id).into_iter();
        let frames = frames.map(|frame| self.element(seen, frame));
        let own = found.handle.session == 0;
        let scale = self.scale();
        Ok(ActTarget::Element(Box::new(ElementTarget {
            element: self.element(seen, id)?,
            frames: frames.collect::<Result<_>>()?,
            last_center: found
                .bounds
                .filter(|_| own)
                .map(|bounds| center(bounds, scale)),
        })))
    }

    /// The options of a node of the last observation that is a list with a popup of the browser.
    pub(crate) fn options_of(&self, node: NodeRef) -> Vec<String> {
        let Some(seen) = self.observer.last() else {
            return Vec::new();
        };
        let Some(NodeTarget::Element(list)) = seen.target_of(node.node) else {
            return Vec::new();
        };
        let dom = &seen.dom;
        // Of a list without a popup, the options are on the page.
        let is_on_page = |id: ElementId| dom.element(id).bounds.is_some();
        let elements = dom.subtree(list).map(|id| (id, dom.element(id)));
        let options = elements.filter(|(id, option)| &*option.tag == "option" && !is_on_page(*id));
        let is_list = &*dom.element(list).tag == "select";
        let options = options.filter(|_| is_list).map(|(_, option)| option);
        let label = |option: &dom::Element| {
            let label = option.attribute("label").unwrap_or_default();
            if label.is_empty() {
                option.text.to_string()
            } else {
                label.to_owned()
            }
        };
        options.map(label).collect()
    }

    /// The scroll container of a node of the last observation; for a frame its document's.
    pub(crate) fn scroller(&self, node: NodeRef) -> Result<Element> {
        let seen = self.observer.last().ok_or(DriverError::Stale)?;
        if seen.observation.revision != node.revision {
            return Err(DriverError::Stale);
        }
        let Some(NodeTarget::Element(id)) = seen.target_of(node.node) else {
            return Err(DriverError::Stale);
        };
        let dom = &seen.dom;
        let hosted = |inner: &dom::ElementId| {
            let inner = dom.element(*inner);
            &*inner.tag == "html" && inner.scope != dom.element(id).scope
        };
        let scroller = dom.children(id).find(hosted).unwrap_or(id);
        self.element(seen, scroller)
    }

    fn element(&self, seen: &PageObservation, id: ElementId) -> Result<Element> {
        let handle = seen.dom.element(id).handle;
        let session = self.observer.session_of(handle).ok_or(DriverError::Stale)?;
        Ok(Element {
            realm: Realm {
                session,
                frame: seen.frame_in_process(id),
            },
            node: cdp::protocol::BackendNodeId(handle.node),
        })
    }

    /// The root element of the page.
    pub(crate) fn root(&self) -> Result<Element> {
        let seen = self.observer.last().ok_or(DriverError::Stale)?;
        let root = seen.dom.get(0).ok_or(DriverError::Stale)?;
        self.element(seen, root)
    }

    /// The number of device pixels per CSS pixel at the last observation.
    pub(crate) fn scale(&self) -> f64 {
        let seen = self.observer.last();
        seen.map_or(1.0, |seen| seen.dom.viewport().scale)
    }
}

/// The size of a viewport, in CSS pixels.
pub(crate) fn screen_of(metrics: &LayoutMetrics) -> Size {
    let seen = &metrics.layout_viewport;
    Size::new(seen.client_width as i32, seen.client_height as i32)
}

/// Brings a tab to the front with focus emulation. The answers are not awaited: neither call needs the page's
/// process, and both are handled before later calls.
fn bring_to_front(tab: &Tab) -> Call<EmptyResult> {
    let session = tab.session();
    let front = session.call(&BringToFront {});
    drop(session.call(&SetFocusEmulationEnabled { enabled: true }));
    front
}

/// Reloads a crashed page.
async fn reload_crashed(cx: &Cx, tab: &Tab) -> Result<crate::browser::TabState> {
    let reload = tab.session().call(&Reload::default());
    match cx.run(reload).await? {
        Ok(_) => {}
        // If it cannot be reloaded, its URL is loaded again.
        Err(cdp::Error::Gone { .. }) => {
            let tabs = cx.run(tab.browser().tabs()).await?.map_err(act_error)?;
            let own = tabs.into_iter().find(|other| other.id == *tab.id());
            let url = own.map_or_else(|| "about:blank".to_owned(), |own| own.url);
            let load = tab.session().call(&Navigate {
                url,
                frame_id: None,
            });
            cx.run(load).await?.map_err(act_error)?;
        }
        Err(error) => return Err(act_error(error)),
    }
    let mut state = tab.watch();
    let is_loaded = state.wait_for(|state| state.status != TabStatus::Crashed);
    let state = cx.run(is_loaded).await?;
    state
        .map(|state| state.clone())
        .map_err(|_| DriverError::Lost {
            message: "the tab was detached".to_owned(),
            dispatch: Dispatch::NotSent,
        })
}

/// The center of a rectangle in device pixels, in CSS pixels.
fn center(bounds: Rect, scale: f64) -> CssPoint {
    CssPoint {
        x: f64::from(bounds.left + bounds.right) / 2.0 / scale,
        y: f64::from(bounds.top + bounds.bottom) / 2.0 / scale,
    }
}
