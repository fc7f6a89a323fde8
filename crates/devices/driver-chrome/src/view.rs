//! One tab as the driver holds it: what is known of it, what is seen of its page, and how its page is reached.

use cdp::protocol::emulation::SetFocusEmulationEnabled;
use cdp::protocol::page::{
    BringToFront, GetLayoutMetrics, IsolatedWorld, LayoutMetrics, Navigate, Reload,
};
use cdp::{Call, FrameId, Session, TargetId};
use driver::{Cx, Dispatch, DriverError, NodeRef, Result};
use uitree::{Rect, Size};

use crate::browser::{Browser, Standing, Tab};
use crate::input::{Asking, Element, Goal, Place, Worlds, of_act, of_standing};
use crate::page::{DialogPart, PageEye, Spot, create};

/// A tab that is attached to and looked at.
pub(crate) struct View {
    pub(crate) tab: Tab,
    pub(crate) eye: PageEye,
    /// The size of its window when it was attached to, in CSS pixels.
    pub(crate) screen: Size,
    worlds: Worlds,
    /// The document whose outermost element is known.
    pub(crate) looked_at: Option<cdp::LoaderId>,
    /// Whether the caller knows that the process of the page died.
    pub(crate) crash_is_told: bool,
}

/// What is asked of every page at once when it is attached to: each answer that is waited for costs a way there and back.
struct Asked {
    eye: PageEye,
    metrics: Call<LayoutMetrics>,
    world: Call<IsolatedWorld>,
}

impl Asked {
    fn of(tab: &Tab) -> Result<Self> {
        let session = tab.session();
        Ok(Self {
            eye: PageEye::over(session, tab.id().clone())?,
            metrics: session.call(&GetLayoutMetrics {}),
            world: session.call(&create(&FrameId::from(tab.id().as_str()))),
        })
    }
}

/// What a node of an observation is, to whoever does something to it.
pub(crate) enum Aimed {
    /// An element of the page.
    Element(Box<Goal>),
    /// A part of its dialog.
    Dialog(DialogPart),
}

impl View {
    /// Attaches to a tab and brings it to the front. One whose page died is loaded again.
    pub(crate) async fn attach(cx: &Cx, browser: &Browser, id: &TargetId) -> Result<Self> {
        let tab = cx.run(browser.attach(id)).await?.map_err(of_act)?;
        Self::of(cx, tab).await
    }

    /// The same of a tab that is attached to.
    pub(crate) async fn of(cx: &Cx, tab: Tab) -> Result<Self> {
        to_front(&tab);
        let mut asked = Asked::of(&tab)?;
        let mut state = cx.run(tab.ready()).await?;
        if state.standing == Standing::Crashed {
            state = revive(cx, &tab).await?;
            asked = Asked::of(&tab)?;
        }
        if let Some(lost) = of_standing(&state.standing, Dispatch::NotSent) {
            return Err(lost);
        }
        let metrics = match cx.run(asked.metrics).await? {
            Ok(metrics) => metrics,
            // The page that was asked has given way to another.
            Err(_) => {
                let again = tab.session().call(&GetLayoutMetrics {});
                cx.run(again).await?.map_err(of_act)?
            }
        };
        let mut view = Self {
            tab,
            eye: asked.eye,
            screen: screen_of(&metrics),
            worlds: Worlds::default(),
            looked_at: None,
            crash_is_told: false,
        };
        // One that could not be made is asked for again by whoever needs it.
        if let Ok(world) = cx.run(asked.world).await? {
            let context = world.execution_context_id;
            view.worlds.know(view.tab.session(), context);
            view.eye.know_world(context);
        }
        Ok(view)
    }

    /// Lets the page have the focus or not, as if nobody were there.
    pub(crate) fn rest(&self) {
        let blur = SetFocusEmulationEnabled { enabled: false };
        drop(self.tab.session().call(&blur));
    }

    /// Has it in front again after a rest.
    pub(crate) fn resume(&self) {
        to_front(&self.tab);
    }

    /// The session of the page.
    pub(crate) fn session(&self) -> Session {
        self.tab.session().clone()
    }

    /// What is needed to do something in the page.
    pub(crate) fn asking<'a>(&'a mut self, cx: &'a Cx) -> Asking<'a> {
        Asking::of(cx, &self.tab, &mut self.worlds)
    }

    /// Has the page stand again when its process died.
    pub(crate) async fn mend(&mut self, cx: &Cx) -> Result<()> {
        if self.tab.state().standing != Standing::Crashed {
            return Ok(());
        }
        revive(cx, &self.tab).await?;
        self.worlds = Worlds::default();
        self.crash_is_told = false;
        self.eye = PageEye::over(self.tab.session(), self.tab.id().clone())?;
        Ok(())
    }

    /// The node of the last observation, to do something to it.
    pub(crate) fn aim(&self, node: NodeRef) -> Result<Aimed> {
        let seen = self.eye.last().ok_or(DriverError::Stale)?;
        if seen.observation.revision != node.revision {
            return Err(DriverError::Stale);
        }
        let id = match seen.spot(node.node) {
            Some(Spot::Element(id)) => id,
            Some(Spot::Dialog(part)) => return Ok(Aimed::Dialog(part)),
            None => return Err(DriverError::Stale),
        };
        let found = seen.dom.element(id);
        let mut inner = found.handle;
        let mut frames = Vec::new();
        // From the element outwards, through those frames only whose documents are in other processes.
        for host in seen.dom.chain(id).into_iter().rev() {
            let handle = seen.dom.element(host).handle;
            if handle.session != inner.session {
                frames.push(self.element(handle)?);
                inner = handle;
            }
        }
        let own = found.handle.session == 0;
        let scale = self.scale();
        Ok(Aimed::Element(Box::new(Goal {
            element: self.element(found.handle)?,
            frames,
            seen: found
                .bounds
                .filter(|_| own)
                .map(|bounds| middle(bounds, scale)),
        })))
    }

    /// The element that scrolls where a node of the last observation does: that of its document, where it is a frame.
    pub(crate) fn scroller(&self, node: NodeRef) -> Result<Element> {
        let seen = self.eye.last().ok_or(DriverError::Stale)?;
        if seen.observation.revision != node.revision {
            return Err(DriverError::Stale);
        }
        let Some(Spot::Element(id)) = seen.spot(node.node) else {
            return Err(DriverError::Stale);
        };
        let dom = &seen.dom;
        let hosted = |inner: &dom::ElementId| {
            let inner = dom.element(*inner);
            &*inner.tag == "html" && inner.scope != dom.element(id).scope
        };
        let scroller = dom.children(id).find(hosted).unwrap_or(id);
        self.element(dom.element(scroller).handle)
    }

    fn element(&self, handle: dom::Handle) -> Result<Element> {
        let session = self.eye.session_of(handle).ok_or(DriverError::Stale)?;
        Ok(Element {
            session,
            node: cdp::protocol::BackendNodeId(handle.node),
        })
    }

    /// The outermost element of the page.
    pub(crate) fn root(&self) -> Result<Element> {
        let seen = self.eye.last().ok_or(DriverError::Stale)?;
        let root = seen.dom.elements().first().ok_or(DriverError::Stale)?;
        self.element(root.handle)
    }

    /// How many device pixels a CSS pixel is wide, as far as the page was looked at.
    pub(crate) fn scale(&self) -> f64 {
        let seen = self.eye.last();
        seen.map_or(1.0, |seen| seen.dom.viewport().scale)
    }
}

/// The size of a window, in CSS pixels.
pub(crate) fn screen_of(metrics: &LayoutMetrics) -> Size {
    let seen = &metrics.layout_viewport;
    Size::new(seen.client_width as i32, seen.client_height as i32)
}

/// Has a tab in front and its page focused. Nobody waits for that: neither needs the page's own process, and both are done
/// before what the page is asked next.
fn to_front(tab: &Tab) {
    let session = tab.session();
    drop(session.call(&BringToFront {}));
    drop(session.call(&SetFocusEmulationEnabled { enabled: true }));
}

/// Loads a page again whose process died.
async fn revive(cx: &Cx, tab: &Tab) -> Result<crate::browser::TabState> {
    let reload = tab.session().call(&Reload::default());
    match cx.run(reload).await? {
        Ok(_) => {}
        // Where nothing is left that could be loaded again, its url is loaded as if for the first time.
        Err(cdp::Error::Gone { .. }) => {
            let tabs = cx.run(tab.browser().tabs()).await?.map_err(of_act)?;
            let own = tabs.into_iter().find(|other| other.id == *tab.id());
            let url = own.map_or_else(|| "about:blank".to_owned(), |own| own.url);
            let load = tab.session().call(&Navigate {
                url,
                frame_id: None,
            });
            cx.run(load).await?.map_err(of_act)?;
        }
        Err(error) => return Err(of_act(error)),
    }
    let mut state = tab.watch();
    let stands = state.wait_for(|state| state.standing != Standing::Crashed);
    let state = cx.run(stands).await?;
    state
        .map(|state| state.clone())
        .map_err(|_| DriverError::Lost {
            message: "the tab was given up".to_owned(),
            dispatch: Dispatch::NotSent,
        })
}

/// The middle of a rectangle in device pixels, in CSS pixels.
fn middle(bounds: Rect, scale: f64) -> Place {
    Place {
        x: f64::from(bounds.left + bounds.right) / 2.0 / scale,
        y: f64::from(bounds.top + bounds.bottom) / 2.0 / scale,
    }
}
