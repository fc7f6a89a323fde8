//! A tab of a browser as a device: one page at a time, and the tabs that it opens.
//!
//! A tab opened by the front page comes to the front; when it closes, its opener is in front again. Dialogs of
//! a page are windows with buttons; none is answered automatically.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use cdp::TargetId;
use cdp::protocol::browser::GetVersion;
use cdp::protocol::page::Navigate;
use driver::{
    ActOutcome, BackgroundEvent, Capabilities, Cx, DeviceInfo, Dispatch, Driver, DriverError,
    Foreground, Gesture, Image, ImageRequest, Key, KeyChord, NodeAct, NodeRef, Observation,
    OpenOutcome, Platform, Result, Revision, SideEffect, Target,
};
use uitree::Point;

use crate::browser::{Browser, Downloads, Tab, TabState, TabStatus, device_of};
use crate::download_tracker::DownloadTracker;
use crate::input::{
    ClickOutcome, CssPoint, Element, EntryMode, KeyEffect, PressLength, act_error,
    blocked_by_dialog, chord_events, key_effect, not_sent, page_is_loading, slow_load,
};
use crate::tab_view::{ActTarget, TabView};

/// Whether pages may be opened from files of this computer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileAccess {
    /// No: permission to open pages does not include reading files.
    #[default]
    Denied,
    /// Yes, all files that the browser can read.
    Allowed,
}

/// Maximum time to wait for a page to answer before it is replaced by an empty one.
pub const RESPONSE_TIMEOUT: Duration = Duration::from_secs(2);

/// Drives a tab of a browser.
pub struct ChromeDriver {
    pub(crate) browser: Browser,
    pub(crate) info: DeviceInfo,
    pub(crate) file_access: FileAccess,
    pub(crate) downloads: DownloadTracker,
    /// The current and former front tabs.
    pub(crate) views: BTreeMap<TargetId, TabView>,
    pub(crate) front: TargetId,
    /// The chain of openers of the front tab, the oldest first.
    pub(crate) openers: Vec<TargetId>,
    /// The tabs that came to the front because another had opened them.
    pub(crate) followed: BTreeSet<TargetId>,
    /// The background tabs of earlier runs that were not in front since.
    pub(crate) left: BTreeSet<TargetId>,
    pub(crate) css: Vec<Arc<str>>,
    /// The first revision of the front tab; those of earlier tabs are lower.
    base: u64,
    highest: u64,
    /// The tabs that opened while this driver was attached, in order.
    pub(crate) opened: Vec<TargetId>,
    /// The tabs that were already reported as side effects.
    reported_tabs: BTreeSet<TargetId>,
    /// The tabs that were reported in this run and were open then, each with its opener.
    pub(crate) just_opened: BTreeMap<TargetId, TargetId>,
    /// Events between the runs, or without an action.
    pub(crate) background_events: Vec<BackgroundEvent>,
    /// The URL of the page of the last observation.
    url: Option<String>,
}

impl std::fmt::Debug for ChromeDriver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ChromeDriver")
            .field("info", &self.info)
            .field("front", &self.front)
            .finish_non_exhaustive()
    }
}

impl ChromeDriver {
    /// Drives the page of an attached tab; [`named`](Self::named) sets its `--device` name.
    pub async fn open(tab: Tab, cx: &Cx) -> Result<Self> {
        cx.check()?;
        let (browser, front) = (tab.browser().clone(), tab.id());
        let root = browser.connection().browser();
        let version = root.call(&GetVersion {});
        let id = device_of(front);
        let view = TabView::open(cx, tab).await?;
        let model = cx.run(version).await?.map_err(act_error)?.product;
        let info = DeviceInfo {
            id,
            platform: Platform::Web,
            model,
            screen: view.screen,
            density: 160,
            capabilities: Capabilities {
                recording: false,
                events: true,
                css: true,
                observe_settles: false,
                loading: true,
                swipe_rests: false,
                clicks_by_place: false,
            },
        };
        Ok(Self::of_view(browser, info, view))
    }

    /// Drives the page of a view.
    pub(crate) fn of_view(browser: Browser, info: DeviceInfo, view: TabView) -> Self {
        let front = view.tab.id().clone();
        Self {
            browser,
            info,
            file_access: FileAccess::default(),
            downloads: DownloadTracker::new(),
            views: BTreeMap::from([(front.clone(), view)]),
            front,
            openers: Vec::new(),
            followed: BTreeSet::new(),
            left: BTreeSet::new(),
            css: Vec::new(),
            base: 0,
            highest: 0,
            opened: Vec::new(),
            reported_tabs: BTreeSet::new(),
            just_opened: BTreeMap::new(),
            background_events: Vec::new(),
            url: None,
        }
    }

    /// Like [`open`](Self::open), for callers that load another page first: a page that does not answer is replaced by an
    /// empty one.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub async fn open_to_load(tab: Tab, cx: &Cx) -> Result<Self> {
        if tokio::time::timeout(RESPONSE_TIMEOUT, cx.run(tab.ready()))
            .await
            .is_err()
        {
            // `data:` gets a process of its own; `about:blank` may be created in the busy one.
            let leave = tab.session().call(&Navigate {
                url: "data:,".to_owned(),
                frame_id: None,
            });
            cx.run(leave).await?.map_err(act_error)?;
        }
        Self::open(tab, cx).await
    }

    /// Sets its name.
    #[must_use]
    pub fn named(mut self, id: impl Into<String>) -> Self {
        self.info.id = id.into();
        self
    }

    /// Sets whether local files may be opened.
    #[must_use]
    pub const fn with_file_access(mut self, files: FileAccess) -> Self {
        self.file_access = files;
        self
    }

    /// Sets the download policy. Without it, and again after the tab is released, the browser's own settings apply.
    #[must_use]
    pub fn with_downloads(mut self, downloads: Downloads) -> Self {
        self.downloads.set_policy(&self.browser, downloads);
        self
    }

    /// The front tab; `None` if it was closed and not replaced yet.
    pub fn tab(&self) -> Option<&Tab> {
        self.views.get(&self.front).map(|view| &view.tab)
    }

    /// The observer of the front page.
    pub fn observer(&mut self) -> Result<&mut crate::page::PageObserver> {
        Ok(&mut self.view()?.observer)
    }

    pub(crate) fn view(&mut self) -> Result<&mut TabView> {
        let gone = || DriverError::Lost {
            message: "the tab was closed".to_owned(),
            dispatch: Dispatch::NotSent,
        };
        self.views.get_mut(&self.front).ok_or_else(gone)
    }

    /// Makes later observations have higher revisions.
    pub(crate) fn continue_revisions(&mut self) {
        self.base = self.highest + 1;
    }

    /// An observation of the front page, with its revision among all tabs.
    async fn observe_front(&mut self, cx: &Cx) -> Result<Observation> {
        let css = self.css.clone();
        let base = self.base;
        let view = self.view()?;
        let url = url_of(&view.tab.state());
        let waits = slow_load(view.tab.watch());
        let seen = tokio::select! {
            biased;
            seen = view.observer.observe(cx, &css) => seen?,
            () = waits => return Err(page_is_loading()),
        };
        let mut observation = seen.observation.clone();
        observation.revision = Revision(base + observation.revision.0);
        self.highest = self.highest.max(observation.revision.0);
        self.info.screen = observation.tree.screen();
        observation.url.clone_from(&url);
        self.url = url;
        Ok(observation)
    }

    /// The root element of the front page, which is observed first if necessary.
    pub(crate) async fn root(&mut self, cx: &Cx) -> Result<Element> {
        self.view()?.input(cx).check()?;
        let document = self.view()?.tab.state().document;
        let loader = document.map(|document| document.loader);
        if self.view()?.observed_document != loader {
            self.observe_front(cx).await?;
            self.view()?.observed_document = loader;
        }
        self.view()?.root()
    }

    /// The revision as the front page's observer counts it.
    fn view_revision(&self, revision: Revision) -> Result<Revision> {
        let own = revision.0.checked_sub(self.base);
        own.map(Revision).ok_or(DriverError::Stale)
    }

    /// A node of the front page as its observer counts it.
    pub(crate) async fn node_in_front(&mut self, cx: &Cx, node: NodeRef) -> Result<NodeRef> {
        let front = self.front.clone();
        self.ensure_front(cx).await?;
        // Another tab has come to the front since the observation.
        if self.front != front {
            return Err(DriverError::Stale);
        }
        Ok(NodeRef {
            revision: self.view_revision(node.revision)?,
            ..node
        })
    }

    /// The outcome of a press of the mouse.
    pub(crate) fn outcome_of(&mut self, pressed: Option<(CssPoint, ClickOutcome)>) -> ActOutcome {
        let Some((at, click)) = pressed else {
            return ActOutcome::default();
        };
        ActOutcome {
            touched: self.pixel(at),
            missed: click != ClickOutcome::Clicked,
            ..ActOutcome::default()
        }
    }

    /// The device pixel of a CSS point.
    fn pixel(&mut self, at: CssPoint) -> Option<Point> {
        Some(pixel(at, self.view().ok()?.scale()))
    }

    /// A device pixel as a CSS point.
    pub(crate) fn place(&mut self, at: Point) -> Result<CssPoint> {
        let screen = self.info.screen;
        let inside = at.x >= 0 && at.y >= 0 && at.x < screen.width && at.y < screen.height;
        if !inside {
            return Err(DriverError::OffScreen(at));
        }
        let scale = self.view()?.scale();
        Ok(CssPoint {
            x: f64::from(at.x) / scale,
            y: f64::from(at.y) / scale,
        })
    }
}

#[async_trait]
impl Driver for ChromeDriver {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn browser(&mut self) -> Option<&mut dyn driver::Browser> {
        Some(self)
    }

    async fn observe(&mut self, cx: &Cx) -> Result<Observation> {
        loop {
            self.ensure_front(cx).await?;
            match self.observe_front(cx).await {
                // The front tab closed during the observation; another is in front now.
                Err(DriverError::Lost { .. }) if self.has_closed() => {}
                // An observation has no effects, whatever the progress of its calls.
                seen => return seen.map_err(not_sent),
            }
        }
    }

    async fn screenshot(&mut self, cx: &Cx) -> Result<Image> {
        self.screenshot_as(cx, ImageRequest::default()).await
    }

    async fn screenshot_as(&mut self, cx: &Cx, wanted: ImageRequest) -> Result<Image> {
        self.ensure_front(cx).await?;
        self.capture_screenshot(cx, None, wanted).await
    }

    async fn act(&mut self, cx: &Cx, node: NodeRef, act: &NodeAct) -> Result<ActOutcome> {
        cx.check()?;
        let node = self.node_in_front(cx, node).await?;
        let target = match self.view()?.act_target(node)? {
            ActTarget::Element(target) => target,
            ActTarget::Dialog(part) => {
                self.answer_dialog(cx, part, act).await?;
                return Ok(ActOutcome::default());
            }
        };
        let view = self.view()?;
        let options = match act {
            NodeAct::Click => view.options_of(node),
            _ => Vec::new(),
        };
        let page = view.session();
        let mut input = view.input(cx);
        let (mut pressed, mut text) = (None, None);
        match act {
            NodeAct::Click => pressed = input.click(&page, &target, PressLength::Short).await?,
            NodeAct::LongClick => pressed = input.click(&page, &target, PressLength::Long).await?,
            NodeAct::Focus => input.focus(&target).await?,
            NodeAct::SetText(set) => text = input.enter(&target, EntryMode::Set, set).await?,
            NodeAct::AppendText(added) => {
                text = input.enter(&target, EntryMode::Append, added).await?;
            }
            NodeAct::Submit => input.submit(&target).await?,
        }
        let refused_form = input.refusal.take();
        Ok(ActOutcome {
            text,
            refused_form,
            options,
            ..self.outcome_of(pressed)
        })
    }

    fn side_effects(&mut self) -> Vec<SideEffect> {
        let mut effects = Vec::new();
        for (id, view) in &self.views {
            let state = view.tab.state();
            let opened = state.opened.into_iter().map(|tab| tab.id);
            for tab in opened.filter(|tab| self.reported_tabs.insert(tab.clone())) {
                effects.push(SideEffect::TabOpened(device_of(&tab)));
                self.just_opened.insert(tab, id.clone());
            }
            let downloads = self.downloads.unreported(&self.browser, state.downloads);
            effects.extend(downloads.into_iter().map(SideEffect::Downloaded));
        }
        let views = &self.views;
        self.just_opened.retain(|tab, opener| {
            let state = views.get(opener).map(|view| view.tab.state());
            let is_gone =
                state.is_some_and(|state| state.opened.iter().all(|open| open.id != *tab));
            if is_gone {
                effects.push(SideEffect::TabClosed(device_of(tab)));
            }
            !is_gone
        });
        effects
    }

    async fn reveal(&mut self, cx: &Cx, node: NodeRef) -> Result<()> {
        cx.check()?;
        let node = self.node_in_front(cx, node).await?;
        let ActTarget::Element(target) = self.view()?.act_target(node)? else {
            return Err(DriverError::Stale);
        };
        let view = self.view()?;
        let page = view.session();
        view.input(cx).reveal(&page, &target.element).await
    }

    async fn touch(&mut self, cx: &Cx, gesture: &Gesture) -> Result<()> {
        self.ensure_front(cx).await?;
        let at = match gesture {
            Gesture::Tap { at } | Gesture::LongPress { at } => self.place(*at)?,
            // Dragging the mouse holds its button, which would press the element under its start or end.
            Gesture::Swipe { .. } => return Err(DriverError::Unsupported("swipes")),
            Gesture::DoubleTap { .. } | Gesture::Drag { .. } => {
                return Err(DriverError::Unsupported("fingers"));
            }
        };
        let root = self.root(cx).await?;
        let view = self.view()?;
        let page = view.session();
        let mut input = view.input(cx);
        input.wait_for_paint(&root).await?;
        match gesture {
            Gesture::LongPress { .. } => input.long_press_at(&page, at).await,
            _ => input.click_at(&page, at).await,
        }
    }

    async fn key(&mut self, cx: &Cx, key: Key) -> Result<ActOutcome> {
        self.ensure_front(cx).await?;
        let effect = key_effect(key);
        let mut outcome = ActOutcome::default();
        if let Some(dialog) = self.view()?.observer.dialog() {
            match key {
                Key::Enter => self.close_dialog(cx, true).await?,
                Key::Escape | Key::Back => self.close_dialog(cx, false).await?,
                _ => {
                    return Err(match effect {
                        KeyEffect::Nothing(what) => DriverError::Unsupported(what),
                        KeyEffect::Press(_) | KeyEffect::Back => blocked_by_dialog(&dialog.message),
                    });
                }
            }
            return Ok(outcome);
        }
        match effect {
            KeyEffect::Press(press) => {
                let root = self.root(cx).await?;
                let view = self.view()?;
                let page = view.session();
                let mut input = view.input(cx);
                input.wait_for_paint(&root).await?;
                if key == Key::Enter {
                    input.press_enter(&root).await?;
                    outcome.refused_form = input.refusal.take();
                // Only browser-level keys leave full screen, while ours go to the page.
                } else if key != Key::Escape || !input.exit_fullscreen(&root).await? {
                    input.press(&page, &[press]).await?;
                }
            }
            KeyEffect::Back => self.go_back(cx).await?,
            KeyEffect::Nothing(what) => return Err(DriverError::Unsupported(what)),
        }
        Ok(outcome)
    }

    async fn press_chord(&mut self, cx: &Cx, chord: &KeyChord) -> Result<()> {
        self.ensure_front(cx).await?;
        if let Some(dialog) = self.view()?.observer.dialog() {
            return Err(blocked_by_dialog(&dialog.message));
        }
        let root = self.root(cx).await?;
        let view = self.view()?;
        let page = view.session();
        let mut input = view.input(cx);
        input.wait_for_paint(&root).await?;
        input.press_chord(&page, &chord_events(chord)).await
    }

    async fn open(&mut self, cx: &Cx, target: &Target) -> Result<OpenOutcome> {
        self.ensure_front(cx).await?;
        match target {
            Target::App(host) => self
                .open_host(cx, host)
                .await
                .map(|()| OpenOutcome::default()),
            Target::Uri(uri) => self.open_uri(cx, uri).await,
        }
    }

    /// The screen of a page is always on.
    async fn wake(&mut self, _: &Cx) -> Result<()> {
        Ok(())
    }

    async fn close(&mut self, cx: &Cx, app: &str) -> Result<()> {
        self.ensure_front(cx).await?;
        self.close_host(cx, app).await
    }

    async fn foreground(&mut self, cx: &Cx) -> Result<Foreground> {
        self.ensure_front(cx).await?;
        let document = self.view()?.tab.state().document;
        let host = document.map(|document| dom::host(&document.url));
        Ok(Foreground {
            app: host.filter(|host| !host.is_empty()),
        })
    }

    async fn changed(&mut self, cx: &Cx, since: Revision) -> Result<()> {
        self.ensure_front(cx).await?;
        // Observations of another tab are outdated.
        let Ok(own) = self.view_revision(since) else {
            return Ok(());
        };
        let (known, url) = (self.followed.clone(), self.url.clone());
        let view = self.view()?;
        let mut state = view.tab.watch();
        let other = state.wait_for(|state| {
            state.status != TabStatus::Open
                || url_of(state) != url
                || state.opened.iter().any(|tab| !known.contains(&tab.id))
        });
        tokio::select! {
            biased;
            _ = other => Ok(()),
            changed = view.observer.changed(cx, own) => changed.map(drop).map_err(not_sent),
        }
    }
}

/// The URL of a tab's page, if it is known.
fn url_of(state: &TabState) -> Option<String> {
    state.document.as_ref().map(|document| document.url.clone())
}

/// The device pixel of a CSS point.
pub(crate) fn pixel(at: CssPoint, scale: f64) -> Point {
    Point::new((at.x * scale).floor() as i32, (at.y * scale).floor() as i32)
}
