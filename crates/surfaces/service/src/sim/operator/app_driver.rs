//! The driver that the simulated Operator app uses: one call at a time, so that the shell can use the phone in between.

use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;
use driver::{
    ActOutcome, Cx, DeviceInfo, Driver, DriverError, Foreground, Gesture, Image, Key, NodeAct,
    NodeRef, Observation, OpenOutcome, Recording, RecordingError, Result, Revision, Target,
};
use sim_adb::AdbPhone;

/// The pause between checks whether the screen has changed.
const SCREEN_POLL: Duration = Duration::from_millis(16);

/// A driver of its own phone.
pub(super) struct AppDriver {
    phone: AdbPhone,
    info: DeviceInfo,
    /// The folder of the app's recordings on the phone.
    recordings: String,
}

impl AppDriver {
    pub(super) async fn start(phone: &AdbPhone, package: &str) -> Self {
        let info = phone.driver().await.info().clone();
        Self {
            phone: phone.clone(),
            info,
            recordings: format!("/sdcard/Android/data/{package}/files/recordings"),
        }
    }

    /// A recording in the phone's storage.
    fn on_phone(&self, recording: &Recording) -> Recording {
        Recording {
            path: format!("{}/{}.ndjson", self.recordings, recording.session),
            ..recording.clone()
        }
    }

    fn with_phone_path(&self, error: DriverError) -> DriverError {
        let DriverError::Recording(error) = error else {
            return error;
        };
        DriverError::Recording(match error {
            RecordingError::AlreadyInProgress(running) => {
                RecordingError::AlreadyInProgress(self.on_phone(&running))
            }
            RecordingError::StopFailed { message, recording } => RecordingError::StopFailed {
                message,
                recording: self.on_phone(&recording),
            },
            RecordingError::OtherSession { running, asked } => RecordingError::OtherSession {
                running: self.on_phone(&running),
                asked,
            },
            other @ (RecordingError::NotInProgress
            | RecordingError::StorageUnavailable(_)
            | RecordingError::StartFailed(_)) => other,
        })
    }

    /// Moves the recorder's file to the phone's storage, so that a session with the same id can be recorded again.
    fn store(&self, recording: &Recording) -> Result<Recording> {
        let on_phone = self.on_phone(recording);
        let host = PathBuf::from(&recording.path);
        let kept = std::fs::read(&host)
            .and_then(|bytes| std::fs::remove_file(&host).map(|()| bytes))
            .map_err(|error| error.to_string())
            .and_then(|bytes| {
                let files = self.phone.files();
                let now = u64::try_from(self.phone.now().0.max(0) / 1000).unwrap_or(0);
                let latest = format!("{}/latest", self.recordings);
                files
                    .make_folders(&self.recordings, now)
                    .and_then(|()| files.write(&on_phone.path, bytes, 0o660, now))
                    .and_then(|()| {
                        files.write(&latest, recording.session.clone().into_bytes(), 0o660, now)
                    })
                    .map_err(|errno| errno.to_string())
            });
        kept.map_err(|message| {
            DriverError::Recording(RecordingError::StopFailed {
                message,
                recording: on_phone.clone(),
            })
        })?;
        Ok(on_phone)
    }
}

#[async_trait]
impl Driver for AppDriver {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    async fn observe(&mut self, cx: &Cx) -> Result<Observation> {
        self.phone.driver().await.observe(cx).await
    }

    async fn screenshot(&mut self, cx: &Cx) -> Result<Image> {
        self.phone.driver().await.screenshot(cx).await
    }

    async fn act(&mut self, cx: &Cx, node: NodeRef, act: &NodeAct) -> Result<ActOutcome> {
        self.phone.driver().await.act(cx, node, act).await
    }

    async fn touch(&mut self, cx: &Cx, gesture: &Gesture) -> Result<()> {
        self.phone.driver().await.touch(cx, gesture).await
    }

    async fn key(&mut self, cx: &Cx, key: Key) -> Result<ActOutcome> {
        self.phone.driver().await.key(cx, key).await
    }

    async fn open(&mut self, cx: &Cx, target: &Target) -> Result<OpenOutcome> {
        self.phone.driver().await.open(cx, target).await
    }

    async fn close(&mut self, cx: &Cx, app: &str) -> Result<()> {
        self.phone.driver().await.close(cx, app).await
    }

    async fn foreground(&mut self, cx: &Cx) -> Result<Foreground> {
        self.phone.driver().await.foreground(cx).await
    }

    async fn changed(&mut self, cx: &Cx, since: Revision) -> Result<()> {
        // Do not hold the phone while waiting.
        while self.phone.driver().await.phone().revision() <= since.0 {
            cx.sleep(SCREEN_POLL).await?;
        }
        Ok(())
    }

    async fn start_recording(&mut self, cx: &Cx, session: Option<&str>) -> Result<Recording> {
        let started = self.phone.driver().await.start_recording(cx, session).await;
        let recording = started.map_err(|error| self.with_phone_path(error))?;
        Ok(self.on_phone(&recording))
    }

    async fn stop_recording(&mut self, cx: &Cx, _session: Option<&str>) -> Result<Recording> {
        // The app stops the running session, whatever id was given.
        let stopped = self.phone.driver().await.stop_recording(cx, None).await;
        let recording = stopped.map_err(|error| self.with_phone_path(error))?;
        self.store(&recording)
    }
}
