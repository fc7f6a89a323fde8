//! Uploads files to a page.

use std::path::PathBuf;
use std::time::Duration;

use cdp::protocol::BackendNodeId;
use cdp::protocol::dom::{NodeRef, SetFileInputFiles};
use cdp::protocol::page::{FileChooserOpened, SetInterceptFileChooserDialog};
use cdp::protocol::runtime::CallArgument;
use cdp::{Events, NextEvent, Session};
use driver::{Dispatch, DriverError, Result};
use serde::Deserialize;

use super::dispatcher::ReleaseGuard;
use super::element::{ElementTarget, PressLength, Refusal};
use super::error_mapping::{act_error, partial};
use super::script_call::{PageFunction, PageInput};

/// Maximum time to wait for a file chooser after a click.
const CHOOSER_TIMEOUT: Duration = Duration::from_secs(3);

/// How a node takes files.
#[derive(Debug, Deserialize)]
#[serde(tag = "is", rename_all = "lowercase")]
enum FileTarget {
    /// A file input.
    Input,
    /// Anything else, which may open a file chooser.
    Opener,
    Refused(Refusal),
    Unwritable {
        why: String,
    },
    Gone,
}

impl PageInput<'_> {
    /// Uploads files with a file input, or with the file chooser that a click opens.
    pub(crate) async fn upload(
        &mut self,
        page: &Session,
        target: &ElementTarget,
        files: &[PathBuf],
    ) -> Result<()> {
        self.check()?;
        let names: Option<Vec<&str>> = files.iter().map(|file| file.to_str()).collect();
        let Some(names) = names else {
            return Err(DriverError::Unwritable(
                "a path that is no Unicode text cannot be given to a browser".to_owned(),
            ));
        };
        let count = vec![CallArgument::value(files.len())];
        let kind: FileTarget = self
            .call(&target.element, PageFunction::FileInput, count)
            .await?;
        match kind {
            FileTarget::Input => {
                let input = target.element.node;
                self.set_files(&target.element.realm.session, input, &names)
                    .await
            }
            FileTarget::Opener => self.choose_files(page, target, &names).await,
            FileTarget::Refused(refusal) => Err(refusal.into()),
            FileTarget::Unwritable { why } => Err(DriverError::Unwritable(why)),
            FileTarget::Gone => Err(DriverError::Stale),
        }
    }

    async fn set_files(
        &self,
        session: &Session,
        input: BackendNodeId,
        files: &[&str],
    ) -> Result<()> {
        let set = session.call(&SetFileInputFiles {
            files: files.iter().map(|file| (*file).to_owned()).collect(),
            node: NodeRef::from(input),
        });
        self.dispatch([set], 0).await
    }

    /// Clicks the node that opens a file chooser, which is intercepted, and sets the files of its input.
    async fn choose_files(
        &mut self,
        page: &Session,
        target: &ElementTarget,
        files: &[&str],
    ) -> Result<()> {
        let session = &target.element.realm.session;
        let mut events = session.events();
        let intercept = session.call(&SetInterceptFileChooserDialog { enabled: true });
        let stop_intercepting = SetInterceptFileChooserDialog { enabled: false };
        let _intercepted = ReleaseGuard::new(|| drop(session.call(&stop_intercepting)));
        self.cx.run(intercept).await?.map_err(act_error)?;
        self.click(page, target, PressLength::Short).await?;
        let result = self.set_files_of_chooser(session, &mut events, files).await;
        result.map_err(|error| partial("it was clicked", error))
    }

    /// Sets the files of the input of the file chooser that opens.
    async fn set_files_of_chooser(
        &self,
        session: &Session,
        events: &mut Events,
        files: &[&str],
    ) -> Result<()> {
        let opened_chooser = tokio::time::timeout(CHOOSER_TIMEOUT, chooser(events));
        let opened = match self.cx.run(opened_chooser).await? {
            Ok(opened) => opened?,
            Err(_) => {
                return Err(DriverError::Refused("no file chooser opened".to_owned()));
            }
        };
        let Some(input) = opened.backend_node_id else {
            return Err(DriverError::Refused(
                "the file chooser that opened belongs to no file input".to_owned(),
            ));
        };
        if files.len() > 1 && opened.mode != "selectMultiple" {
            return Err(DriverError::Refused(format!(
                "its file chooser takes one file, not {}",
                files.len()
            )));
        }
        self.set_files(session, input, files).await
    }
}

/// Waits for a file chooser.
async fn chooser(events: &mut Events) -> Result<FileChooserOpened> {
    loop {
        match events.next().await {
            NextEvent::Event(event) => {
                if let Some(opened) = event.read::<FileChooserOpened>() {
                    return opened.map_err(act_error);
                }
            }
            NextEvent::Lagged(_) => {}
            NextEvent::Lost(message) => {
                return Err(DriverError::Lost {
                    message,
                    dispatch: Dispatch::Unknown,
                });
            }
        }
    }
}
