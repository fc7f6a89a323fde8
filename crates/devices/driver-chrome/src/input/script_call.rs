//! Elements as objects of a world of our own, and what is asked of them there.
//!
//! One world for each session, in its outermost frame, reaches everything that the session holds: frames of other sites in
//! the same process and closed shadow trees. The page sees nothing of it.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use cdp::protocol::BackendNodeId;
use cdp::protocol::dom::{NodeRef, ResolveNode};
use cdp::protocol::page::GetFrameTree;
use cdp::protocol::runtime::{CallArgument, CallFunctionOn, Evaluated, ReleaseObject};
use cdp::{Call, FrameId, ObjectId, Session, SessionId, TargetId};
use driver::{Cx, DriverError, Result};
use serde::de::DeserializeOwned;
use tokio::sync::watch;

use super::fault;
use crate::browser::{Tab, TabState, TabStatus};
use crate::page::create_world;

/// The worlds that were made, by session.
#[derive(Debug, Default)]
pub(crate) struct Worlds {
    by_session: BTreeMap<Option<SessionId>, World>,
}

impl Worlds {
    /// Notes the world of a session, which has nothing in it yet.
    pub(crate) fn set_context(&mut self, session: &Session, context: i64) {
        let world = World {
            context,
            tools: BTreeMap::new(),
            held: VecDeque::new(),
        };
        self.by_session.insert(session.id().cloned(), world);
    }
}

/// How many elements are held as objects that something was done to: a field, its list and its button, a row's steppers.
const MAX_HELD: usize = 8;

/// A world of our own, and the functions that it holds already: one that is sent with each call is read anew each time.
#[derive(Debug)]
struct World {
    context: i64,
    tools: BTreeMap<PageFunction, CachedFunction>,
    /// The elements that something was done to last, the latest first: what is done to them next needs no look-up.
    held: VecDeque<(BackendNodeId, ObjectId)>,
}

/// What is kept of a function of ours.
#[derive(Debug)]
enum CachedFunction {
    /// That it was sent along with a call once: most of those who come do one thing and go.
    SentOnce,
    /// Itself.
    Object(ObjectId),
}

/// What is asked of an element: functions of ours that run with it as `this`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PageFunction {
    /// Where it can be clicked.
    Aim,
    /// The place in the window around a frame that a place inside has.
    MapThroughFrame,
    /// A field is made ready for text.
    PrepareField,
    /// Returns when its document was painted once.
    WaitForPaint,
    /// Whether its window is drawn soon.
    WaitForFrame,
    /// Its document leaves the full screen, if it is there.
    ExitFullscreen,
    /// Its content is scrolled.
    Scroll,
    /// It is brought into view.
    Reveal,
    /// Where the only element can be clicked that a selector hits; called on nothing.
    AimAtOnlyHit,
    /// Whether the press that was expected met what it was meant for; called on nothing.
    PressResult,
}

/// A function of ours as text.
#[derive(Clone, Copy)]
struct FunctionSource {
    /// Makes the function.
    factory: &'static str,
    /// Is the function.
    function: &'static str,
}

macro_rules! tool {
    ($($part:expr),+) => {
        FunctionSource {
            factory: concat!("() => (\n", $($part),+, "\n)"),
            function: concat!(
                "function (...given) { return (\n",
                $($part),+,
                "\n).apply(this, given); }"
            ),
        }
    };
}

/// A function that is given two others.
macro_rules! guarded {
    ($function:expr) => {
        tool!(
            "((aim, guard) => (\n",
            $function,
            "\n))(\n",
            include_str!("js/aim.js"),
            "\n,\n",
            include_str!("js/guard.js"),
            "\n)"
        )
    };
}

/// A function that is given one other.
macro_rules! guarding {
    ($function:expr) => {
        tool!(
            "((guard) => (\n",
            $function,
            "\n))(\n",
            include_str!("js/guard.js"),
            "\n)"
        )
    };
}

impl PageFunction {
    const fn text(self) -> FunctionSource {
        match self {
            Self::Aim => guarded!(include_str!("js/aimed.js")),
            Self::MapThroughFrame => guarding!(include_str!("js/through.js")),
            Self::PrepareField => tool!(include_str!("js/field.js")),
            Self::WaitForPaint => tool!(include_str!("js/painted.js")),
            Self::WaitForFrame => tool!(include_str!("js/drawn.js")),
            Self::ExitFullscreen => tool!(include_str!("js/windowed.js")),
            Self::Scroll => tool!(include_str!("js/scroll.js")),
            Self::Reveal => tool!(include_str!("js/reveal.js")),
            Self::AimAtOnlyHit => guarded!(include_str!("js/only.js")),
            Self::PressResult => tool!(include_str!("js/met.js")),
        }
    }

    /// Whether it is read anew in less time than it takes to keep it.
    const fn is_short(self) -> bool {
        matches!(self, Self::PressResult)
    }
}

/// Calls the function that is its first argument.
const APPLY: &str = "function (tool, ...given) { return tool.apply(this, given); }";

/// An element of a session.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    /// The session that holds it.
    pub(crate) session: Session,
    /// Its number there.
    pub(crate) node: BackendNodeId,
}

/// What the page and its tab let one do: the time there is, what the tab tells, our worlds.
pub(crate) struct PageInput<'a> {
    pub(crate) cx: &'a Cx,
    pub(crate) tab: watch::Receiver<TabState>,
    /// The session of the page, and its name, which its outermost frame has, too.
    page: (Option<&'a SessionId>, &'a TargetId),
    worlds: &'a mut Worlds,
}

/// How long a tab may wait for another page before that is told instead of waited for.
const SLOW_LOAD: Duration = Duration::from_secs(2);

/// What came instead of the answer to a call.
#[derive(Clone, Debug)]
pub(crate) enum Interruption {
    /// A dialog opened, behind which the page stands still.
    Dialog(String),
    /// The tab can no longer be talked to.
    Unreachable(TabStatus),
}

/// Waits until the tab stands still or is gone.
pub(crate) async fn interruption(mut tab: watch::Receiver<TabState>) -> Interruption {
    let stands = |state: &TabState| state.dialog.is_some() || state.status != TabStatus::Open;
    match tab.wait_for(stands).await {
        Ok(state) => match (&state.status, &state.dialog) {
            (TabStatus::Open, Some(dialog)) => Interruption::Dialog(dialog.message.clone()),
            (status, _) => Interruption::Unreachable(status.clone()),
        },
        // Whoever tells is gone with the connection.
        Err(_) => Interruption::Unreachable(TabStatus::Lost("it was given up".to_owned())),
    }
}

impl<'a> PageInput<'a> {
    pub(crate) fn of(cx: &'a Cx, tab: &'a Tab, worlds: &'a mut Worlds) -> Self {
        Self {
            cx,
            tab: tab.watch(),
            page: (tab.session().id(), tab.id()),
            worlds,
        }
    }
}

impl PageInput<'_> {
    /// An error when the page stands still behind a dialog, or its tab is gone: nothing in it can be reached then.
    pub(crate) fn check(&self) -> Result<()> {
        self.cx.check()?;
        let state = self.tab.borrow();
        if let Some(lost) = fault::tab_error(&state.status, driver::Dispatch::NotSent) {
            return Err(lost);
        }
        match &state.dialog {
            None => Ok(()),
            Some(dialog) => Err(blocked_by_dialog(&dialog.message)),
        }
    }

    /// The answer to a question, unless the page stops before.
    pub(crate) async fn answer<A: DeserializeOwned>(
        &self,
        call: Call<A>,
    ) -> Result<cdp::Result<A>> {
        let stopped = interruption(self.tab.clone());
        let waits = slow_load(self.tab.clone());
        tokio::select! {
            biased;
            answer = self.cx.run(call) => answer,
            () = waits => Err(page_is_loading()),
            interruption = stopped => Err(match interruption {
                Interruption::Dialog(message) => blocked_by_dialog(&message),
                Interruption::Unreachable(status) => fault::tab_error(&status, driver::Dispatch::NotSent)
                    .unwrap_or(DriverError::Stale),
            }),
        }
    }

    /// Calls one of our functions on an element and gives what it says.
    pub(crate) async fn call<A: DeserializeOwned>(
        &mut self,
        of: &Element,
        tool: PageFunction,
        arguments: Vec<CallArgument>,
    ) -> Result<A> {
        if let Some(object) = self.held_object(of) {
            let called = self
                .start_on_object(of, object, tool, arguments.clone())
                .await;
            if let Some(answer) = self.read_unless_gone(called).await? {
                return Ok(answer);
            }
            self.release(of);
        }
        let object = self.object(of).await?;
        self.hold(of, object.clone());
        let call = self.start_on_object(of, object, tool, arguments).await?;
        read(self.answer(call).await?.map_err(fault::query_error)?)
    }

    /// Calls one of our functions on an element that is an object already; the call is on its way.
    async fn start_on_object(
        &mut self,
        of: &Element,
        object: ObjectId,
        tool: PageFunction,
        arguments: Vec<CallArgument>,
    ) -> Result<Call<Evaluated>> {
        let on = CallFunctionOn {
            object_id: Some(object),
            ..CallFunctionOn::default()
        };
        self.apply(&of.session, tool, on, arguments).await
    }

    /// The element as the object that is held of it.
    fn held_object(&mut self, of: &Element) -> Option<ObjectId> {
        let world = self.worlds.by_session.get_mut(&of.session.id().cloned())?;
        let at = world.held.iter().position(|(node, _)| *node == of.node)?;
        let latest = world.held.remove(at)?;
        let object = latest.1.clone();
        world.held.push_front(latest);
        Some(object)
    }

    /// Holds an element as an object, in place of one that nothing was done to for longer.
    fn hold(&mut self, of: &Element, object: ObjectId) {
        let worlds = &mut self.worlds.by_session;
        let Some(world) = worlds.get_mut(&of.session.id().cloned()) else {
            return;
        };
        world.held.push_front((of.node, object));
        if world.held.len() > MAX_HELD
            && let Some((_, object_id)) = world.held.pop_back()
        {
            // The browser keeps it until it is told; nobody waits for that.
            drop(of.session.call(&ReleaseObject { object_id }));
        }
    }

    /// Holds it no longer, for its object is gone.
    fn release(&mut self, of: &Element) {
        let worlds = &mut self.worlds.by_session;
        if let Some(world) = worlds.get_mut(&of.session.id().cloned()) {
            world.held.retain(|(node, _)| *node != of.node);
        }
    }

    /// Calls one of our functions in the outermost document of a session.
    pub(crate) async fn call_in_document<A: DeserializeOwned>(
        &mut self,
        session: &Session,
        tool: PageFunction,
        arguments: Vec<CallArgument>,
    ) -> Result<A> {
        let key = session.id().cloned();
        let known = self.worlds.by_session.contains_key(&key);
        if known {
            let called = self
                .start_in_document(session, tool, arguments.clone())
                .await;
            if let Some(answer) = self.read_unless_gone(called).await? {
                return Ok(answer);
            }
        }
        self.world(session).await?;
        let call = self.start_in_document(session, tool, arguments).await?;
        read(self.answer(call).await?.map_err(fault::query_error)?)
    }

    /// What a call says; `None` when the world it was made in is gone, which goes with its document.
    async fn read_unless_gone<A: DeserializeOwned>(
        &self,
        called: Result<Call<Evaluated>>,
    ) -> Result<Option<A>> {
        match called {
            Ok(call) => match self.answer(call).await? {
                Ok(answer) => read(answer).map(Some),
                Err(error) if is_world_gone(&error) => Ok(None),
                Err(error) => Err(fault::query_error(error)),
            },
            Err(DriverError::Stale | DriverError::Refused(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Calls one of our functions in a world that is there; the call is on its way.
    pub(super) async fn start_in_document(
        &mut self,
        session: &Session,
        tool: PageFunction,
        arguments: Vec<CallArgument>,
    ) -> Result<Call<Evaluated>> {
        let world = self.worlds.by_session.get(&session.id().cloned());
        let on = CallFunctionOn {
            execution_context_id: Some(world.ok_or(DriverError::Stale)?.context),
            ..CallFunctionOn::default()
        };
        self.apply(session, tool, on, arguments).await
    }

    /// Calls one of our functions `on` an object or in a world; the call is on its way.
    async fn apply(
        &mut self,
        session: &Session,
        tool: PageFunction,
        on: CallFunctionOn,
        arguments: Vec<CallArgument>,
    ) -> Result<Call<Evaluated>> {
        let (function_declaration, arguments) = match self.tool(session, tool).await? {
            Some(kept) => {
                let first = std::iter::once(CallArgument::object(&kept));
                (APPLY, first.chain(arguments).collect())
            }
            None => (tool.text().function, arguments),
        };
        Ok(session.call(&CallFunctionOn {
            function_declaration,
            arguments,
            return_by_value: Some(true),
            await_promise: Some(true),
            silent: Some(true),
            ..on
        }))
    }

    /// The element as an object of our world.
    async fn object(&mut self, of: &Element) -> Result<ObjectId> {
        let key = of.session.id().cloned();
        let known = self.worlds.by_session.get(&key).map(|world| world.context);
        let first = match known {
            Some(context) => context,
            None => self.world(&of.session).await?,
        };
        match self.resolve(of, first).await? {
            Ok(object) => Ok(object),
            // A world goes with its document, and another is made for the next.
            Err(error) if known.is_some() && is_world_gone(&error) => {
                let context = self.world(&of.session).await?;
                self.resolve(of, context).await?.map_err(fault::query_error)
            }
            Err(error) => Err(fault::query_error(error)),
        }
    }

    async fn resolve(&self, of: &Element, context: i64) -> Result<cdp::Result<ObjectId>> {
        let call = of.session.call(&ResolveNode {
            node: NodeRef::from(of.node),
            object_group: None,
            execution_context_id: Some(context),
        });
        Ok(match self.answer(call).await? {
            // A node whose document is not shown is nothing.
            Ok(resolved) => return resolved.object.object_id.map(Ok).ok_or(DriverError::Stale),
            Err(error) => Err(error),
        })
    }

    /// Makes our world in the outermost frame of a session.
    async fn world(&mut self, session: &Session) -> Result<i64> {
        let (page, id) = self.page;
        let frame_id = if session.id() == page {
            FrameId::from(id.as_str())
        } else {
            let frames = session.call(&GetFrameTree {});
            let frames = self.answer(frames).await?.map_err(fault::query_error)?;
            frames.frame_tree.frame.id
        };
        let call = session.call(&create_world(&frame_id));
        let world = self.answer(call).await?.map_err(fault::query_error)?;
        let context = world.execution_context_id;
        self.worlds.set_context(session, context);
        Ok(context)
    }

    /// One of our functions as an object of our world, which is there; `None` where it is sent along.
    async fn tool(&mut self, session: &Session, tool: PageFunction) -> Result<Option<ObjectId>> {
        if tool.is_short() {
            return Ok(None);
        }
        let key = session.id().cloned();
        let worlds = &mut self.worlds.by_session;
        let world = worlds.get_mut(&key).ok_or(DriverError::Stale)?;
        match world.tools.get(&tool) {
            None => {
                world.tools.insert(tool, CachedFunction::SentOnce);
                return Ok(None);
            }
            Some(CachedFunction::Object(known)) => return Ok(Some(known.clone())),
            Some(CachedFunction::SentOnce) => {}
        }
        let context = world.context;
        let make = session.call(&CallFunctionOn {
            function_declaration: tool.text().factory,
            execution_context_id: Some(context),
            silent: Some(true),
            ..CallFunctionOn::default()
        });
        let made = self.answer(make).await?.map_err(fault::query_error)?;
        let made = made.result.object_id.ok_or(DriverError::Stale)?;
        if let Some(world) = self.worlds.by_session.get_mut(&key) {
            world
                .tools
                .insert(tool, CachedFunction::Object(made.clone()));
        }
        Ok(Some(made))
    }
}

/// What a function of ours said.
pub(super) fn read<A: DeserializeOwned>(answer: Evaluated) -> Result<A> {
    if let Some(thrown) = answer.exception_details {
        let message = thrown.message();
        // The document went while the function ran.
        if message.contains("context") && message.contains("destroyed") {
            return Err(DriverError::Stale);
        }
        return Err(DriverError::Refused(format!(
            "the page could not be asked: {message}"
        )));
    }
    serde_json::from_value(answer.result.value)
        .map_err(|error| DriverError::Refused(format!("the page's answer cannot be read: {error}")))
}

/// Whether an error may be about the world and not about the element.
fn is_world_gone(error: &cdp::Error) -> bool {
    match error {
        cdp::Error::Protocol { message, .. } => !message.contains("No node with given id"),
        _ => false,
    }
}

/// The refusal of what lies behind a dialog.
pub(crate) fn blocked_by_dialog(message: &str) -> DriverError {
    DriverError::Refused(format!(
        "a dialog of the page is open and keeps it still: {message:?}; answer it first"
    ))
}

/// The answer to who looks at a tab that waits for another page.
pub(crate) fn page_is_loading() -> DriverError {
    DriverError::Incomplete(
        "the tab waits for another page, whose server has not answered yet; until then the browser lets nobody look at it"
            .to_owned(),
    )
}

/// Returns when the tab has waited for a page for longer than servers commonly take. From the moment on at which a tab asks
/// for another page until that begins, a browser answers no question about the one that is shown.
pub(crate) async fn slow_load(mut tab: watch::Receiver<TabState>) {
    loop {
        if tab.wait_for(|state| state.busy).await.is_err() {
            return std::future::pending().await;
        }
        let idle = tab.wait_for(|state| !state.busy);
        if tokio::time::timeout(SLOW_LOAD, idle).await.is_err() {
            return;
        }
    }
}
