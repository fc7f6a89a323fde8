//! A tab with a plain session.

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

/// Timeout of loading a page. Saved pages request many files that no longer exist.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The viewport of every measured page, in CSS pixels.
pub const VIEWPORT: (u32, u32) = (1280, 900);

#[derive(Debug)]
pub struct Tab {
    session: Session,
    events: Events,
}

/// An unused port as the proxy: browsers reach this computer directly, and nothing else. Saved pages request
/// hundreds of old files, and no run may depend on which of them still exist.
const UNUSED_PROXY: &str = "127.0.0.1:9";

impl Tab {
    /// Opens an empty tab that can only reach this computer.
    pub async fn open(connection: &Connection) -> cdp::Result<Self> {
        let browser = connection.browser();
        let context = json!({ "disposeOnDetach": true, "proxyServer": UNUSED_PROXY });
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
        Self::attach(connection.session(&attached.session_id)).await
    }

    pub async fn attach(session: Session) -> cdp::Result<Self> {
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

    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// Loads a page and waits until it is complete. Dialogs are dismissed.
    pub async fn load(&mut self, url: &str) -> Result<(), String> {
        // Events of the previous page would be taken for this one's.
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
        match timeout(TIMEOUT, self.loaded(&loader)).await {
            Ok(done) => done.map_err(|error| format!("{url}: {error}")),
            Err(_) => Err(format!("{url} has not loaded within {TIMEOUT:?}")),
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
