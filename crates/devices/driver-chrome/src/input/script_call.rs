//! Calls functions on elements in an isolated world.
//!
//! The world of a frame reaches its closed shadow trees and the frames of its origin. Frames of other origins have worlds of
//! their own, also in the same process. The page cannot see them.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use cdp::protocol::BackendNodeId;
use cdp::protocol::dom::{NodeRef, ResolveNode};
use cdp::protocol::page::GetFrameTree;
use cdp::protocol::runtime::{CallArgument, CallFunctionOn, Evaluated, ReleaseObject};
use cdp::{Call, FrameId, ObjectId, Session, SessionId, TargetId};
use driver::{Cx, DriverError, FormRefusal, Result};
use serde::de::DeserializeOwned;
use tokio::sync::watch;

use super::error_mapping;
use crate::browser::{Tab, TabState, TabStatus};
use crate::page::create_world;

/// The session of a document, and its frame unless that is the root frame of the session.
type RealmKey = (Option<SessionId>, Option<FrameId>);

/// A document in which functions are called.
#[derive(Clone, Debug)]
pub(crate) struct Realm {
    /// The session of its process.
    pub(crate) session: Session,
    /// Its frame, unless that is the root frame of the session.
    pub(crate) frame: Option<FrameId>,
}

impl Realm {
    /// The document in the root frame of a session.
    pub(crate) fn root(session: &Session) -> Self {
        Self {
            session: session.clone(),
            frame: None,
        }
    }

    fn key(&self) -> RealmKey {
        (self.session.id().cloned(), self.frame.clone())
    }
}

/// The created worlds, by document.
#[derive(Debug, Default)]
pub(crate) struct Worlds {
    by_realm: BTreeMap<RealmKey, World>,
    /// The number of changes of documents when they were created.
    documents: u64,
}

impl Worlds {
    /// Forgets the worlds if documents have changed since: a new process restarts the ids of worlds and objects, so that an old
    /// id may belong to another one.
    pub(crate) fn clear_if_documents_changed(&mut self, documents: u64) {
        if self.documents != documents {
            self.by_realm.clear();
            self.documents = documents;
        }
    }

    /// Registers the new world of a document.
    pub(crate) fn set_context(&mut self, realm: &Realm, context: i64) {
        let world = World {
            context,
            functions: BTreeMap::new(),
            held: VecDeque::new(),
        };
        self.by_realm.insert(realm.key(), world);
    }
}

/// Maximum number of elements kept as objects: enough for a field, its list and its button, or the steppers of a row.
const MAX_HELD: usize = 8;

/// An isolated world and its cached functions: a function sent with each call is parsed each time.
#[derive(Debug)]
struct World {
    context: i64,
    functions: BTreeMap<PageFunction, CachedFunction>,
    /// The elements of recent inputs, the latest first, which need no lookup next time.
    held: VecDeque<(BackendNodeId, ObjectId)>,
}

/// The cache entry of a function.
#[derive(Debug)]
enum CachedFunction {
    /// It was sent once: most short-lived clients need a function only once.
    SentOnce,
    /// Its object.
    Object(ObjectId),
}

/// Functions called on an element, as `this`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PageFunction {
    /// Finds a point to click it.
    Aim,
    /// Maps a point inside a frame to the surrounding viewport.
    MapThroughFrame,
    /// Prepares a field for text.
    PrepareField,
    /// Sets the value of an input that is made of parts.
    SetValue,
    /// Selects options of a list.
    SelectOptions,
    /// Waits for the result of a change; called without `this`.
    ChangeResult,
    /// Whether it is a file input.
    FileInput,
    /// Waits for the first paint of its document.
    WaitForPaint,
    /// Whether its viewport draws a frame soon.
    WaitForFrame,
    /// Makes its document leave full screen.
    ExitFullscreen,
    /// Scrolls its content.
    Scroll,
    /// Scrolls it into view.
    Reveal,
    /// Finds a point to click the only match of a selector; called without `this`.
    AimAtOnlyHit,
    /// Reports whether the expected press reached its target; called without `this`.
    PressResult,
    /// Watches whether the browser refuses to submit its form.
    WatchForm,
    /// Why the browser refused to submit the watched form; called without `this`.
    FormRefusal,
}

/// The source of a function.
#[derive(Clone, Copy)]
struct FunctionSource {
    /// Code that creates the function.
    factory: &'static str,
    /// Code of the function.
    function: &'static str,
}

macro_rules! function {
    ($($part:expr),+) => {
        FunctionSource {
            factory: concat!("() => (\n", $($part),+, "\n)"),
            function: concat!(
                "function (...args) { return (\n",
                $($part),+,
                "\n).apply(this, args); }"
            ),
        }
    };
}

/// The code of a function with helper arguments.
macro_rules! with {
    ($names:literal, $function:expr, $first:expr $(, $helper:expr)*) => {
        concat!(
            "((", $names, ") => (\n", $function, "\n))(\n", $first, $("\n,\n", $helper,)* "\n)"
        )
    };
}

/// The code of a function that waits for frames.
macro_rules! waiting {
    ($function:expr) => {
        with!("drawing", $function, include_str!("js/drawing.js"))
    };
}

/// The code of the function that guards a press.
macro_rules! guard {
    () => {
        with!(
            "watchForm",
            include_str!("js/guard.js"),
            include_str!("js/watch_form.js")
        )
    };
}

/// A function that aims a guarded press.
macro_rules! guarded {
    ($function:expr) => {
        function!(with!(
            "aim, guard",
            $function,
            waiting!(include_str!("js/aim.js")),
            guard!()
        ))
    };
}

impl PageFunction {
    const fn text(self) -> FunctionSource {
        match self {
            Self::Aim => guarded!(include_str!("js/aim_guarded.js")),
            Self::MapThroughFrame => function!(with!(
                "guard",
                waiting!(include_str!("js/map_through_frame.js")),
                guard!()
            )),
            Self::PrepareField => function!(with!(
                "optionsOf",
                waiting!(include_str!("js/prepare_field.js")),
                include_str!("js/options.js")
            )),
            Self::SetValue => function!(with!(
                "change",
                include_str!("js/set_value.js"),
                include_str!("js/change.js")
            )),
            Self::SelectOptions => function!(with!(
                "change, optionsOf",
                include_str!("js/select_options.js"),
                include_str!("js/change.js"),
                include_str!("js/options.js")
            )),
            Self::ChangeResult => function!(include_str!("js/change_result.js")),
            Self::FileInput => function!(include_str!("js/file_input.js")),
            Self::WaitForPaint => function!(waiting!(include_str!("js/wait_for_paint.js"))),
            Self::WaitForFrame => function!(waiting!(include_str!("js/wait_for_frame.js"))),
            Self::ExitFullscreen => function!(include_str!("js/exit_fullscreen.js")),
            Self::Scroll => function!(include_str!("js/scroll.js")),
            Self::Reveal => function!(include_str!("js/reveal.js")),
            Self::AimAtOnlyHit => guarded!(include_str!("js/aim_at_only_hit.js")),
            Self::PressResult => function!(include_str!("js/press_result.js")),
            Self::WatchForm => function!(with!(
                "watchForm",
                include_str!("js/watch_own_form.js"),
                include_str!("js/watch_form.js")
            )),
            Self::FormRefusal => function!(include_str!("js/form_refusal.js")),
        }
    }

    /// Whether sending it is cheaper than caching it.
    const fn is_short(self) -> bool {
        matches!(self, Self::PressResult | Self::ChangeResult)
    }
}

/// Calls the function in its first argument.
const APPLY_FUNCTION: &str = "function (tool, ...args) { return tool.apply(this, args); }";

/// An element of a page.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    /// Its document.
    pub(crate) realm: Realm,
    /// Its backend node id.
    pub(crate) node: BackendNodeId,
}

/// The context of input to a page: deadline, state of the tab, worlds.
pub(crate) struct PageInput<'a> {
    pub(crate) cx: &'a Cx,
    pub(crate) tab: watch::Receiver<TabState>,
    /// The session of the page, and its id, which is also that of its root frame.
    page: (Option<&'a SessionId>, &'a TargetId),
    worlds: &'a mut Worlds,
    /// Why the browser refused to submit the form of the last press, if it did.
    pub(crate) refusal: Option<FormRefusal>,
}

/// Maximum time to wait for a navigation before it is reported.
const SLOW_LOAD: Duration = Duration::from_secs(2);

/// The event that interrupted a call.
#[derive(Clone, Debug)]
pub(crate) enum Interruption {
    /// A dialog opened, which blocks the page.
    Dialog(String),
    /// The tab cannot be used any more.
    Unreachable(TabStatus),
}

/// Waits until the tab is blocked or gone.
pub(crate) async fn interruption(mut tab: watch::Receiver<TabState>) -> Interruption {
    let is_interrupted =
        |state: &TabState| state.dialog.is_some() || state.status != TabStatus::Open;
    match tab.wait_for(is_interrupted).await {
        Ok(state) => match (&state.status, &state.dialog) {
            (TabStatus::Open, Some(dialog)) => Interruption::Dialog(dialog.message.clone()),
            (status, _) => Interruption::Unreachable(status.clone()),
        },
        // The sender is gone with the connection.
        Err(_) => Interruption::Unreachable(TabStatus::Lost("it was dropped".to_owned())),
    }
}

impl<'a> PageInput<'a> {
    pub(crate) fn new(cx: &'a Cx, tab: &'a Tab, worlds: &'a mut Worlds) -> Self {
        Self {
            cx,
            tab: tab.watch(),
            page: (tab.session().id(), tab.id()),
            worlds,
            refusal: None,
        }
    }
}

impl PageInput<'_> {
    /// An error if a dialog blocks the page, or its tab is gone.
    pub(crate) fn check(&self) -> Result<()> {
        self.cx.check()?;
        let state = self.tab.borrow();
        if let Some(lost) = error_mapping::tab_error(&state.status, driver::Dispatch::NotSent) {
            return Err(lost);
        }
        match &state.dialog {
            None => Ok(()),
            Some(dialog) => Err(blocked_by_dialog(&dialog.message)),
        }
    }

    /// The answer to a call, unless the page is interrupted first.
    pub(crate) async fn answer<A: DeserializeOwned>(
        &self,
        call: Call<A>,
    ) -> Result<cdp::Result<A>> {
        let interruption = interruption(self.tab.clone());
        let loading = slow_load(self.tab.clone());
        tokio::select! {
            biased;
            answer = self.cx.run(call) => answer,
            () = loading => Err(page_is_loading()),
            interruption = interruption => Err(match interruption {
                Interruption::Dialog(message) => blocked_by_dialog(&message),
                Interruption::Unreachable(status) => error_mapping::tab_error(&status, driver::Dispatch::NotSent)
                    .unwrap_or(DriverError::Stale),
            }),
        }
    }

    /// Calls a function on an element and returns its result.
    pub(crate) async fn call<A: DeserializeOwned>(
        &mut self,
        element: &Element,
        function: PageFunction,
        arguments: Vec<CallArgument>,
    ) -> Result<A> {
        if let Some(object) = self.held_object(element) {
            let called = self
                .start_on_object(element, object, function, arguments.clone())
                .await;
            if let Some(answer) = self.read_unless_gone(called).await? {
                return Ok(answer);
            }
            self.release(element);
        }
        let object = self.object(element).await?;
        self.hold(element, object.clone());
        let call = self
            .start_on_object(element, object, function, arguments)
            .await?;
        read(
            self.answer(call)
                .await?
                .map_err(error_mapping::query_error)?,
        )
    }

    /// Calls a function that changes an element and runs handlers of the page. Returns its answer, which is sent before the change
    /// (see change.js).
    pub(crate) async fn change<A: DeserializeOwned>(
        &mut self,
        element: &Element,
        function: PageFunction,
        arguments: Vec<CallArgument>,
    ) -> Result<A> {
        self.check()?;
        let object = self.object(element).await?;
        let call = self
            .start_on_object(element, object, function, arguments)
            .await?;
        let uncertain = |error| error_mapping::partial(error_mapping::MAY_BE_CHANGED, error);
        let answer = self.answer(call).await.map_err(uncertain)?;
        read(answer.map_err(error_mapping::change_error)?).map_err(uncertain)
    }

    /// The result of a change that was started in this document; `None` if it opened a dialog or another document.
    pub(crate) async fn wait_for_result<A: DeserializeOwned>(
        &mut self,
        realm: &Realm,
    ) -> Result<Option<A>> {
        let result = match self
            .start_in_document(realm, PageFunction::ChangeResult, Vec::new())
            .await
        {
            Ok(call) => self.answer(call).await,
            Err(error) => Err(error),
        };
        let error = match result {
            Ok(Ok(answer)) => return Ok(read(answer).ok()),
            Ok(Err(error)) => error_mapping::query_error(error),
            Err(error) => error,
        };
        match error_mapping::partial("the page was changed", error) {
            DriverError::Partial(_) => Ok(None),
            error => Err(error),
        }
    }

    /// Starts calling a function on an element that is kept as an object.
    async fn start_on_object(
        &mut self,
        element: &Element,
        object: ObjectId,
        function: PageFunction,
        arguments: Vec<CallArgument>,
    ) -> Result<Call<Evaluated>> {
        let on = CallFunctionOn {
            object_id: Some(object),
            ..CallFunctionOn::default()
        };
        self.apply(&element.realm, function, on, arguments).await
    }

    /// The object kept for an element.
    fn held_object(&mut self, element: &Element) -> Option<ObjectId> {
        let world = self.worlds.by_realm.get_mut(&element.realm.key())?;
        let at = world
            .held
            .iter()
            .position(|(node, _)| *node == element.node)?;
        let latest = world.held.remove(at)?;
        let object = latest.1.clone();
        world.held.push_front(latest);
        Some(object)
    }

    /// Keeps an object for an element; drops the least recently used one.
    fn hold(&mut self, element: &Element, object: ObjectId) {
        let worlds = &mut self.worlds.by_realm;
        let Some(world) = worlds.get_mut(&element.realm.key()) else {
            return;
        };
        world.held.push_front((element.node, object));
        if world.held.len() > MAX_HELD
            && let Some((_, object_id)) = world.held.pop_back()
        {
            // The browser keeps the object until this call, which is not awaited.
            drop(element.realm.session.call(&ReleaseObject { object_id }));
        }
    }

    /// Drops the object of an element, since it no longer exists.
    fn release(&mut self, element: &Element) {
        let worlds = &mut self.worlds.by_realm;
        if let Some(world) = worlds.get_mut(&element.realm.key()) {
            world.held.retain(|(node, _)| *node != element.node);
        }
    }

    /// Calls a function in a document.
    pub(crate) async fn call_in_document<A: DeserializeOwned>(
        &mut self,
        realm: &Realm,
        function: PageFunction,
        arguments: Vec<CallArgument>,
    ) -> Result<A> {
        if self.worlds.by_realm.contains_key(&realm.key()) {
            let called = self
                .start_in_document(realm, function, arguments.clone())
                .await;
            if let Some(answer) = self.read_unless_gone(called).await? {
                return Ok(answer);
            }
        }
        self.world(realm).await?;
        let call = self.start_in_document(realm, function, arguments).await?;
        read(
            self.answer(call)
                .await?
                .map_err(error_mapping::query_error)?,
        )
    }

    /// The answer to a call; `None` if its world is gone with its document.
    async fn read_unless_gone<A: DeserializeOwned>(
        &self,
        called: Result<Call<Evaluated>>,
    ) -> Result<Option<A>> {
        match called {
            Ok(call) => match self.answer(call).await? {
                Ok(answer) => read(answer).map(Some),
                Err(error) if is_world_gone(&error) => Ok(None),
                Err(error) => Err(error_mapping::query_error(error)),
            },
            Err(DriverError::Stale | DriverError::Refused(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Starts calling a function in an existing world.
    pub(super) async fn start_in_document(
        &mut self,
        realm: &Realm,
        function: PageFunction,
        arguments: Vec<CallArgument>,
    ) -> Result<Call<Evaluated>> {
        let world = self.worlds.by_realm.get(&realm.key());
        let on = CallFunctionOn {
            execution_context_id: Some(world.ok_or(DriverError::Stale)?.context),
            ..CallFunctionOn::default()
        };
        self.apply(realm, function, on, arguments).await
    }

    /// Starts calling a function `on` an object or in a world.
    async fn apply(
        &mut self,
        realm: &Realm,
        function: PageFunction,
        on: CallFunctionOn,
        arguments: Vec<CallArgument>,
    ) -> Result<Call<Evaluated>> {
        let (function_declaration, arguments) = match self.cached_function(realm, function).await? {
            Some(kept) => {
                let first = std::iter::once(CallArgument::object(&kept));
                (APPLY_FUNCTION, first.chain(arguments).collect())
            }
            None => (function.text().function, arguments),
        };
        Ok(realm.session.call(&CallFunctionOn {
            function_declaration,
            arguments,
            return_by_value: Some(true),
            await_promise: Some(true),
            silent: Some(true),
            ..on
        }))
    }

    /// The element as an object of our world.
    async fn object(&mut self, element: &Element) -> Result<ObjectId> {
        let cached = self.worlds.by_realm.get(&element.realm.key());
        let cached = cached.map(|world| world.context);
        let first = match cached {
            Some(context) => context,
            None => self.world(&element.realm).await?,
        };
        match self.resolve(element, first).await? {
            Ok(object) => Ok(object),
            // A world disappears with its document; the next one gets a new world.
            Err(error) if cached.is_some() && is_world_gone(&error) => {
                let context = self.world(&element.realm).await?;
                self.resolve(element, context)
                    .await?
                    .map_err(error_mapping::query_error)
            }
            Err(error) => Err(error_mapping::query_error(error)),
        }
    }

    async fn resolve(&self, element: &Element, context: i64) -> Result<cdp::Result<ObjectId>> {
        let call = element.realm.session.call(&ResolveNode {
            node: NodeRef::from(element.node),
            object_group: None,
            execution_context_id: Some(context),
        });
        Ok(match self.answer(call).await? {
            // A node of an inactive document has no object.
            Ok(resolved) => return resolved.object.object_id.map(Ok).ok_or(DriverError::Stale),
            Err(error) => Err(error),
        })
    }

    /// Creates our world in a document.
    async fn world(&mut self, realm: &Realm) -> Result<i64> {
        let (page, id) = self.page;
        let session = &realm.session;
        let frame_id = match &realm.frame {
            Some(frame) => frame.clone(),
            None if session.id() == page => FrameId::from(id.as_str()),
            None => {
                let frames = session.call(&GetFrameTree {});
                let frames = self
                    .answer(frames)
                    .await?
                    .map_err(error_mapping::query_error)?;
                frames.frame_tree.frame.id
            }
        };
        let call = session.call(&create_world(&frame_id));
        let world = self
            .answer(call)
            .await?
            .map_err(error_mapping::query_error)?;
        let context = world.execution_context_id;
        self.worlds.set_context(realm, context);
        Ok(context)
    }

    /// The cached object of a function in an existing world; `None` if it is sent with the call.
    async fn cached_function(
        &mut self,
        realm: &Realm,
        function: PageFunction,
    ) -> Result<Option<ObjectId>> {
        if function.is_short() {
            return Ok(None);
        }
        let key = realm.key();
        let worlds = &mut self.worlds.by_realm;
        let world = worlds.get_mut(&key).ok_or(DriverError::Stale)?;
        match world.functions.get(&function) {
            None => {
                world.functions.insert(function, CachedFunction::SentOnce);
                return Ok(None);
            }
            Some(CachedFunction::Object(cached)) => return Ok(Some(cached.clone())),
            Some(CachedFunction::SentOnce) => {}
        }
        let context = world.context;
        let create = realm.session.call(&CallFunctionOn {
            function_declaration: function.text().factory,
            execution_context_id: Some(context),
            silent: Some(true),
            ..CallFunctionOn::default()
        });
        let object = self
            .answer(create)
            .await?
            .map_err(error_mapping::query_error)?;
        let object = object.result.object_id.ok_or(DriverError::Stale)?;
        if let Some(world) = self.worlds.by_realm.get_mut(&key) {
            world
                .functions
                .insert(function, CachedFunction::Object(object.clone()));
        }
        Ok(Some(object))
    }
}

/// The result of a function.
pub(super) fn read<A: DeserializeOwned>(answer: Evaluated) -> Result<A> {
    if let Some(thrown) = answer.exception_details {
        let message = thrown.message();
        // The document disappeared while the function ran.
        if message.contains("context") && message.contains("destroyed") {
            return Err(DriverError::Stale);
        }
        return Err(DriverError::Refused(format!(
            "the page could not be queried: {message}"
        )));
    }
    serde_json::from_value(answer.result.value)
        .map_err(|error| DriverError::Refused(format!("the page's answer cannot be read: {error}")))
}

/// Whether an error may mean that the world is gone, and not the element.
fn is_world_gone(error: &cdp::Error) -> bool {
    match error {
        cdp::Error::Protocol { message, .. } => !message.contains("No node with given id"),
        _ => false,
    }
}

/// The error for a page that a dialog blocks.
pub(crate) fn blocked_by_dialog(message: &str) -> DriverError {
    DriverError::Refused(format!(
        "a dialog of the page is open and blocks it: {message:?}; answer it first"
    ))
}

/// The error for a tab that is waiting for another page.
pub(crate) fn page_is_loading() -> DriverError {
    DriverError::Incomplete(
        "the tab waits for another page, whose server has not answered yet; until then the browser does not let it be observed"
            .to_owned(),
    )
}

/// Returns when the tab has waited for a navigation longer than usual. Between the request and its response a
/// browser answers no queries about the current page.
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
