//! The local storage of origins, read and written without a request to their servers.
//!
//! A tab of its own loads the origin's root. The request is intercepted and answered here with an empty document, so that
//! neither the server nor a service worker nor a script of the origin takes part.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cdp::protocol::fetch::{self, FailRequest, FulfillRequest, Header, RequestPaused};
use cdp::protocol::network::{self, SetBypassServiceWorker};
use cdp::protocol::page::{self, CreateIsolatedWorld, FrameNavigated, Navigate};
use cdp::protocol::runtime::{CallArgument, CallFunctionOn};
use cdp::protocol::target::{AttachToTarget, CreateTarget};
use cdp::{Events, FrameId, LoaderId, NextEvent, Session, TargetId};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Browser, Origin};

/// Maximum time of the steps for one origin.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The document that stands in for the pages of an origin.
const DOCUMENT: &str = "<!doctype html><title>clawperator</title>";

/// Returns the items, and how many have text that is not valid Unicode, which JSON cannot carry.
const READ_ITEMS: &str = "function (origin) {
  if (location.origin !== origin) throw new Error('the browser redirected to ' + location.origin);
  const items = [];
  let invalid = 0;
  for (let at = 0; at < localStorage.length; at += 1) {
    const name = localStorage.key(at);
    const value = localStorage.getItem(name);
    if (name.isWellFormed() && value.isWellFormed()) items.push({ name, value });
    else invalid += 1;
  }
  return { items, invalid };
}";

/// Sets the items, and returns how many were rejected: the storage of an origin has a limit.
const WRITE_ITEMS: &str = "function (origin, items) {
  if (location.origin !== origin) throw new Error('the browser redirected to ' + location.origin);
  let rejected = 0;
  for (const { name, value } of items) {
    try {
      localStorage.setItem(name, value);
    } catch (error) {
      rejected += 1;
    }
  }
  return rejected;
}";

/// An item of a local storage. It has no `Debug`, because its value may be a secret.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredItem {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// The items of the local storage of an origin.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
pub struct StoredItems {
    /// The items.
    pub items: Vec<StoredItem>,
    /// The number of items that were left out, because their text is not valid Unicode.
    pub invalid: usize,
}

/// A tab for the local storage of origins, closed by [`close`](Self::close).
pub struct LocalStorage {
    browser: Browser,
    tab: TargetId,
    session: Session,
    events: Events,
    /// The loader of the current document.
    loaded: Option<LoaderId>,
}

impl LocalStorage {
    /// Opens the tab, behind the others.
    pub async fn open(browser: &Browser) -> cdp::Result<Self> {
        let root = browser.connection().browser();
        let create = CreateTarget {
            url: "about:blank".to_owned(),
            background: Some(true),
            ..CreateTarget::default()
        };
        let tab = root.call(&create).await?.target_id;
        let attached = match root.call(&AttachToTarget::to(&tab)).await {
            Ok(attached) => attached,
            Err(error) => {
                browser.close_tab(&tab).await?;
                return Err(error);
            }
        };
        let session = browser.connection().session(&attached.session_id);
        let opened = Self {
            browser: browser.clone(),
            tab,
            events: session.events(),
            session,
            loaded: None,
        };
        match opened.intercept().await {
            Ok(()) => Ok(opened),
            Err(error) => {
                opened.close().await?;
                Err(error)
            }
        }
    }

    async fn intercept(&self) -> cdp::Result<()> {
        self.session.call(&page::Enable {}).await?;
        self.session.call(&network::Enable {}).await?;
        let bypass = SetBypassServiceWorker { bypass: true };
        self.session.call(&bypass).await?;
        self.session.call(&fetch::Enable {}).await?;
        Ok(())
    }

    /// Closes the tab, and waits until it is gone: a command that follows would find two tabs.
    pub async fn close(self) -> cdp::Result<()> {
        self.browser.close_tab(&self.tab).await?;
        let gone = async {
            while self
                .browser
                .tabs()
                .await?
                .iter()
                .any(|tab| tab.id == self.tab)
            {}
            Ok(())
        };
        // A tab that takes longer closes by itself.
        tokio::time::timeout(TIMEOUT, gone).await.unwrap_or(Ok(()))
    }

    /// Reads the items of an origin.
    pub async fn read(&mut self, origin: &Origin) -> Result<StoredItems, String> {
        let arguments = vec![CallArgument::value(origin.as_str())];
        self.run(origin, READ_ITEMS, arguments).await
    }

    /// Sets items of an origin, and returns the number of those that the browser rejected.
    pub async fn write(&mut self, origin: &Origin, items: &[StoredItem]) -> Result<usize, String> {
        let arguments = vec![
            CallArgument::value(origin.as_str()),
            CallArgument::value(json!(items)),
        ];
        self.run(origin, WRITE_ITEMS, arguments).await
    }

    async fn run<T: serde::de::DeserializeOwned>(
        &mut self,
        origin: &Origin,
        function: &'static str,
        arguments: Vec<CallArgument>,
    ) -> Result<T, String> {
        let done = async {
            self.load(origin).await?;
            self.call(function, arguments).await
        };
        match tokio::time::timeout(TIMEOUT, done).await {
            Ok(result) => result,
            Err(_) => Err(format!(
                "the browser did not respond within {} s",
                TIMEOUT.as_secs()
            )),
        }
    }

    /// Loads the empty document of an origin.
    async fn load(&mut self, origin: &Origin) -> Result<(), String> {
        let url = format!("{origin}/");
        let navigate = Navigate {
            url: url.clone(),
            frame_id: None,
        };
        let navigated = self.session.call(&navigate);
        tokio::pin!(navigated);
        let navigated = loop {
            tokio::select! {
                navigated = &mut navigated => break navigated.map_err(|error| error.to_string())?,
                event = self.events.next() => self.handle(event, &url)?,
            };
        };
        if let Some(why) = navigated.error_text {
            return Err(why);
        }
        let loader = navigated
            .loader_id
            .ok_or("the browser loaded no document")?;
        while self.loaded.as_ref() != Some(&loader) {
            let event = self.events.next().await;
            self.handle(event, &url)?;
        }
        Ok(())
    }

    /// Records a new document. Answers a paused request: for the document with the empty document, for anything else with a
    /// failure.
    fn handle(&mut self, event: NextEvent, url: &str) -> Result<(), String> {
        let event = match event {
            NextEvent::Event(event) => event,
            NextEvent::Lagged(_) => return Err("the browser sent too many events".to_owned()),
            NextEvent::Lost(why) => return Err(why),
        };
        if let Some(Ok(navigated)) = event.read::<FrameNavigated>() {
            self.loaded = Some(navigated.frame.loader_id);
        }
        let Some(paused) = event.read::<RequestPaused>() else {
            return Ok(());
        };
        let paused = paused.map_err(|error| error.to_string())?;
        // The answers are empty; a request that is gone needs none.
        if paused.resource_type == "Document" && paused.request.url == url {
            drop(self.session.call(&FulfillRequest {
                request_id: paused.request_id,
                response_code: 200,
                response_headers: vec![Header {
                    name: "Content-Type",
                    value: "text/html; charset=utf-8",
                }],
                body: STANDARD.encode(DOCUMENT),
            }));
        } else {
            drop(self.session.call(&FailRequest {
                request_id: paused.request_id,
                error_reason: "BlockedByClient",
            }));
        }
        Ok(())
    }

    /// Calls a function in a world of its own in the loaded document.
    async fn call<T: serde::de::DeserializeOwned>(
        &self,
        function: &'static str,
        arguments: Vec<CallArgument>,
    ) -> Result<T, String> {
        let failed = |error: cdp::Error| error.to_string();
        let create = CreateIsolatedWorld {
            frame_id: FrameId::from(self.tab.as_str()),
            world_name: None,
            grant_univeral_access: None,
        };
        let world = self.session.call(&create).await.map_err(failed)?;
        let call = CallFunctionOn {
            function_declaration: function,
            execution_context_id: Some(world.execution_context_id),
            arguments,
            return_by_value: Some(true),
            silent: Some(true),
            ..CallFunctionOn::default()
        };
        let called = self.session.call(&call).await.map_err(failed)?;
        if let Some(thrown) = called.exception_details {
            let message = thrown.message();
            return Err(message.lines().next().unwrap_or_default().to_owned());
        }
        // The text of a parse error could quote an item.
        serde_json::from_value(called.result.value)
            .map_err(|_| "the browser returned something else than items".to_owned())
    }
}
