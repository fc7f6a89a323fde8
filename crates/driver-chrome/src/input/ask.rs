//! Elements as objects of a world of our own, and what is asked of them there.
//!
//! One world for each session, in its outermost frame, reaches everything that the session holds: frames of other sites in
//! the same process and closed shadow trees. The page sees nothing of it.

use std::collections::BTreeMap;
use std::time::Duration;

use cdp::protocol::BackendNodeId;
use cdp::protocol::dom::{NodeRef, ResolveNode};
use cdp::protocol::page::{CreateIsolatedWorld, GetFrameTree};
use cdp::protocol::runtime::{CallArgument, CallFunctionOn, ReleaseObject};
use cdp::{ObjectId, Session, SessionId};
use driver::{Cx, DriverError, Result};
use serde::de::DeserializeOwned;
use tokio::sync::watch;

use super::fault;
use crate::browser::{Standing, TabState};

/// The name of our worlds, which the browser's own tools show.
const WORLD: &str = "clawperator";

/// The worlds that were made, by session.
#[derive(Debug, Default)]
pub(crate) struct Worlds {
    by_session: BTreeMap<Option<SessionId>, World>,
}

/// A world of our own, and the functions that it holds already: one that is sent with each call is read anew each time.
#[derive(Debug)]
struct World {
    context: i64,
    tools: BTreeMap<Tool, ObjectId>,
}

/// What is asked of an element: functions of ours that run with it as `this`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tool {
    /// Where it can be clicked.
    Aim,
    /// The place in the window around a frame that a place inside has.
    Through,
    /// A field is made ready for text.
    Field,
    /// Returns when its document was painted once.
    Painted,
    /// Whether something scrolls at a place.
    Under,
}

macro_rules! tool {
    ($file:literal) => {
        concat!("() => (\n", include_str!($file), "\n)")
    };
}

impl Tool {
    /// Makes the function.
    const fn maker(self) -> &'static str {
        match self {
            Self::Aim => tool!("js/aim.js"),
            Self::Through => tool!("js/through.js"),
            Self::Field => tool!("js/field.js"),
            Self::Painted => tool!("js/painted.js"),
            Self::Under => tool!("js/under.js"),
        }
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
pub(crate) struct Asking<'a> {
    pub(crate) cx: &'a Cx,
    pub(crate) tab: watch::Receiver<TabState>,
    pub(crate) worlds: &'a mut Worlds,
}

/// How long a tab may wait for another page before that is told instead of waited for.
const SLOW: Duration = Duration::from_secs(2);

/// What came instead of the answer to a call.
#[derive(Clone, Debug)]
pub(crate) enum Instead {
    /// A dialog opened, behind which the page stands still.
    Dialog(String),
    /// The tab can no longer be talked to.
    Gone(Standing),
}

/// Waits until the tab stands still or is gone.
pub(crate) async fn stopped(mut tab: watch::Receiver<TabState>) -> Instead {
    let stands = |state: &TabState| state.dialog.is_some() || state.standing != Standing::Open;
    match tab.wait_for(stands).await {
        Ok(state) => match (&state.standing, &state.dialog) {
            (Standing::Open, Some(dialog)) => Instead::Dialog(dialog.message.clone()),
            (standing, _) => Instead::Gone(standing.clone()),
        },
        // Whoever tells is gone with the connection.
        Err(_) => Instead::Gone(Standing::Lost("it was given up".to_owned())),
    }
}

impl Asking<'_> {
    /// An error when the page stands still behind a dialog, or its tab is gone: nothing in it can be reached then.
    pub(crate) fn check(&self) -> Result<()> {
        self.cx.check()?;
        let state = self.tab.borrow();
        if let Some(lost) = fault::of_standing(&state.standing, driver::Dispatch::NotSent) {
            return Err(lost);
        }
        match &state.dialog {
            None => Ok(()),
            Some(dialog) => Err(behind(&dialog.message)),
        }
    }

    /// The answer to a question, unless the page stops before.
    pub(crate) async fn answer<A: DeserializeOwned>(
        &self,
        call: cdp::Call<A>,
    ) -> Result<cdp::Result<A>> {
        let stopped = stopped(self.tab.clone());
        let waits = waits_for_page(self.tab.clone());
        tokio::select! {
            biased;
            answer = self.cx.run(call) => answer,
            () = waits => Err(on_its_way()),
            instead = stopped => Err(match instead {
                Instead::Dialog(message) => behind(&message),
                Instead::Gone(standing) => fault::of_standing(&standing, driver::Dispatch::NotSent)
                    .unwrap_or(DriverError::Stale),
            }),
        }
    }

    /// Calls one of our functions on an element and gives what it says.
    pub(crate) async fn ask<A: DeserializeOwned>(
        &mut self,
        of: &Element,
        tool: Tool,
        given: Vec<CallArgument>,
    ) -> Result<A> {
        let object = self.object(of).await?;
        let tool = self.tool(&of.session, tool).await?;
        let mut arguments = vec![CallArgument::object(&tool)];
        arguments.extend(given);
        let call = of.session.call(&CallFunctionOn {
            function_declaration: APPLY,
            object_id: Some(object.clone()),
            arguments,
            return_by_value: Some(true),
            await_promise: Some(true),
            silent: Some(true),
            ..CallFunctionOn::default()
        });
        let said = self.answer(call).await;
        // The browser keeps it until it is told; nobody waits for that.
        drop(of.session.call(&ReleaseObject { object_id: object }));
        let said = said?.map_err(fault::of_query)?;
        if let Some(thrown) = said.exception_details {
            let message = thrown.message();
            // The document went while the function ran.
            if message.contains("context") && message.contains("destroyed") {
                return Err(DriverError::Stale);
            }
            return Err(DriverError::Refused(format!(
                "the page could not be asked: {message}"
            )));
        }
        serde_json::from_value(said.result.value).map_err(|error| {
            DriverError::Refused(format!("the page's answer cannot be read: {error}"))
        })
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
            Err(error) if known.is_some() && is_of_the_world(&error) => {
                let context = self.world(&of.session).await?;
                self.resolve(of, context).await?.map_err(fault::of_query)
            }
            Err(error) => Err(fault::of_query(error)),
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
        let frames = self
            .answer(session.call(&GetFrameTree {}))
            .await?
            .map_err(fault::of_query)?;
        let call = session.call(&CreateIsolatedWorld {
            frame_id: frames.frame_tree.frame.id,
            world_name: Some(WORLD),
            grant_univeral_access: Some(true),
        });
        let world = self.answer(call).await?.map_err(fault::of_query)?;
        let context = world.execution_context_id;
        let world = World {
            context,
            tools: BTreeMap::new(),
        };
        let worlds = &mut self.worlds.by_session;
        worlds.insert(session.id().cloned(), world);
        Ok(context)
    }

    /// One of our functions as an object of our world, which is there.
    async fn tool(&mut self, session: &Session, tool: Tool) -> Result<ObjectId> {
        let key = session.id().cloned();
        let world = self.worlds.by_session.get(&key).ok_or(DriverError::Stale)?;
        if let Some(known) = world.tools.get(&tool) {
            return Ok(known.clone());
        }
        let context = world.context;
        let make = session.call(&CallFunctionOn {
            function_declaration: tool.maker(),
            execution_context_id: Some(context),
            silent: Some(true),
            ..CallFunctionOn::default()
        });
        let made = self.answer(make).await?.map_err(fault::of_query)?;
        let made = made.result.object_id.ok_or(DriverError::Stale)?;
        if let Some(world) = self.worlds.by_session.get_mut(&key) {
            world.tools.insert(tool, made.clone());
        }
        Ok(made)
    }
}

/// Whether an error may be about the world and not about the element.
fn is_of_the_world(error: &cdp::Error) -> bool {
    match error {
        cdp::Error::Protocol { message, .. } => !message.contains("No node with given id"),
        _ => false,
    }
}

/// The refusal of what lies behind a dialog.
pub(crate) fn behind(message: &str) -> DriverError {
    DriverError::Refused(format!(
        "a dialog of the page is open and keeps it still: {message:?}; answer it first"
    ))
}

/// The answer to who looks at a tab that waits for another page.
pub(crate) fn on_its_way() -> DriverError {
    DriverError::Incomplete(
        "the tab waits for another page, whose server has not answered yet; until then the browser lets nobody look at it"
            .to_owned(),
    )
}

/// Returns when the tab has waited for a page for longer than servers commonly take. From the moment on at which a tab asks
/// for another page until that begins, a browser answers no question about the one that is shown.
pub(crate) async fn waits_for_page(mut tab: watch::Receiver<TabState>) {
    loop {
        if tab.wait_for(|state| state.busy).await.is_err() {
            return std::future::pending().await;
        }
        let idle = tab.wait_for(|state| !state.busy);
        if tokio::time::timeout(SLOW, idle).await.is_err() {
            return;
        }
    }
}
