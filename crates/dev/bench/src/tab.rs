//! A tab of the bench's own, with a plain session to it.

use std::time::Duration;

use cdp::protocol::emulation::SetDeviceMetricsOverride;
use cdp::protocol::page::{
    self, HandleJavaScriptDialog, JavascriptDialogOpening, LifecycleEvent, Navigate,
    SetLifecycleEventsEnabled,
};
use cdp::protocol::target::AttachToTarget;
use cdp::{Connection, Events, LoaderId, NextEvent, Session, TargetId};
use serde_json::{Value, json};
use tokio::time::timeout;

/// How long a page may load. What is missing then is missing: saved pages ask for much that is gone.
const PATIENCE: Duration = Duration::from_secs(20);

/// The viewport of every measured page, in CSS pixels.
pub const VIEWPORT: (u32, u32) = (1280, 900);

/// A tab.
#[derive(Debug)]
pub struct Tab {
    session: Session,
    events: Events,
}

/// Nobody listens there. Browsers reach this computer without a proxy, and everything else not at all: saved pages ask for
/// hundreds of files of the day they were saved, and no run may depend on which of them still exist.
const NOWHERE: &str = "127.0.0.1:9";

impl Tab {
    /// Opens an empty tab that reaches nothing but this computer.
    pub async fn open(connection: &Connection) -> cdp::Result<Self> {
        let browser = connection.browser();
        let context = json!({ "disposeOnDetach": true, "proxyServer": NOWHERE });
        let context = browser
            .call_raw("Target.createBrowserContext", &context)
            .await?;
        let create =
            json!({ "url": "about:blank", "browserContextId": context["browserContextId"] });
        let created = browser.call_raw("Target.createTarget", &create).await?;
        let target = match &created["targetId"] {
            Value::String(id) => TargetId::from(id.as_str()),
            _ => TargetId::from(""),
        };
        let attached = browser.call(&AttachToTarget::to(&target)).await?;
        Self::over(connection.session(&attached.session_id)).await
    }

    /// A tab that is attached to already.
    pub async fn over(session: Session) -> cdp::Result<Self> {
        let events = session.events();
        session.call(&page::Enable {}).await?;
        session
            .call(&SetLifecycleEventsEnabled { enabled: true })
            .await?;
        let (width, height) = VIEWPORT;
        session
            .call(&SetDeviceMetricsOverride {
                width,
                height,
                device_scale_factor: 1.0,
                mobile: false,
            })
            .await?;
        Ok(Self { session, events })
    }

    /// The session.
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// Goes to a page and waits until it has loaded. Dialogs that it opens meanwhile are dismissed.
    ///
    /// # Errors
    ///
    /// In words: what the browser says of a page that it cannot load, or that it took too long.
    pub async fn load(&mut self, url: &str) -> Result<(), String> {
        // What is left of the page before would be taken for this one's.
        while self.events.try_next().is_some() {}
        let navigate = Navigate {
            url: url.to_owned(),
            ..Navigate::default()
        };
        let going = self.session.call(&navigate).await;
        let navigated = going.map_err(|error| format!("{url}: {error}"))?;
        if let Some(error) = navigated.error_text {
            return Err(format!("{url}: {error}"));
        }
        let Some(loader) = navigated.loader_id else {
            return Ok(());
        };
        match timeout(PATIENCE, self.loaded(&loader)).await {
            Ok(done) => done.map_err(|error| format!("{url}: {error}")),
            Err(_) => Err(format!("{url} has not loaded within {PATIENCE:?}")),
        }
    }

    async fn loaded(&mut self, loader: &LoaderId) -> Result<(), String> {
        loop {
            let event = match self.events.next().await {
                NextEvent::Event(event) => event,
                NextEvent::Lagged(_) => continue,
                NextEvent::Lost(message) => return Err(message),
            };
            if let Some(Ok(step)) = event.read::<LifecycleEvent>()
                && step.name == "load"
                && step.loader_id == *loader
            {
                return Ok(());
            }
            if event.read::<JavascriptDialogOpening>().is_some() {
                let dismiss = HandleJavaScriptDialog {
                    accept: false,
                    prompt_text: None,
                };
                self.session
                    .call(&dismiss)
                    .await
                    .map_err(|error| error.to_string())?;
            }
        }
    }
}
