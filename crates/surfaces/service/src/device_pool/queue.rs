//! The place from which one device is driven: whoever has its slot is the one, and the others wait in their order.

use std::future::Future;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use contract::{ErrorBody, ErrorCode};
use tokio::runtime::Runtime;
use tokio::sync::OwnedMutexGuard;
use tokio::time::Instant;

use super::run::RunState;

/// One device's place.
#[derive(Debug)]
pub(super) struct DeviceQueue {
    /// Handed on in the order in which it was asked for.
    slot: Arc<tokio::sync::Mutex<DeviceState>>,
    holder: Mutex<String>,
    waiting: AtomicUsize,
    most: usize,
}

/// What whoever drives a device has of it.
#[derive(Debug, Default)]
pub(super) struct DeviceState {
    /// The time of a simulated phone.
    time: Option<PausedRuntime>,
}

impl DeviceState {
    /// The time of the phone, which stands still between its runs.
    ///
    /// # Errors
    /// The system has no room for it.
    pub(super) fn take_or_make(&mut self) -> Result<PausedRuntime, ErrorBody> {
        if let Some(time) = self.time.take() {
            return Ok(time);
        }
        let made = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build();
        made.map(|runtime| PausedRuntime(Some(runtime)))
            .map_err(|error| {
                let message = format!("a simulated phone cannot be started: {error}");
                ErrorBody::new(ErrorCode::InternalError, message).with_default_hint()
            })
    }

    /// Gives the time back.
    pub(super) fn put(&mut self, time: PausedRuntime) {
        self.time = Some(time);
    }
}

/// A runtime in which time passes only as far as somebody waits for it.
#[derive(Debug)]
pub(super) struct PausedRuntime(Option<Runtime>);

impl PausedRuntime {
    /// Does some work in it; the thread does nothing else meanwhile.
    /// `None` when there is none any more, which is after it was dropped only.
    pub(super) fn run<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        self.0.as_ref().map(|runtime| runtime.block_on(work))
    }
}

impl Drop for PausedRuntime {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            // Where it is dropped nobody may wait; nothing runs in it any more.
            runtime.shutdown_background();
        }
    }
}

impl DeviceQueue {
    /// A free place; so many may wait for it.
    pub(super) fn new(most: usize) -> Self {
        Self {
            slot: Arc::default(),
            holder: Mutex::default(),
            waiting: AtomicUsize::new(0),
            most,
        }
    }

    /// Takes the place, now or until a moment.
    ///
    /// # Errors
    /// `EXECUTION_CONFLICT_IN_FLIGHT` with whoever drives the device.
    pub(super) async fn take(
        &self,
        device: &str,
        run: &RunState,
        until: Option<Instant>,
    ) -> Result<OwnedMutexGuard<DeviceState>, ErrorBody> {
        let slot = Arc::clone(&self.slot);
        let taken = match Arc::clone(&slot).try_lock_owned() {
            Ok(taken) => taken,
            Err(_) => {
                let Some(until) = until else {
                    return Err(self.conflict(device, run));
                };
                let begun = Instant::now();
                let waiting = Waiting::begin(&self.waiting);
                if waiting.before >= self.most {
                    return Err(self
                        .conflict(device, run)
                        .with_detail("waiting", waiting.before)
                        .with_hint("So many wait for this device already; try again later"));
                }
                match tokio::time::timeout_at(until, slot.lock_owned()).await {
                    Ok(taken) => taken,
                    Err(_) => {
                        let waited = begun.elapsed().as_millis();
                        let waited = u64::try_from(waited).unwrap_or(u64::MAX);
                        return Err(self.conflict(device, run).with_detail("waitedMs", waited));
                    }
                }
            }
        };
        *self.holder.lock().unwrap_or_else(PoisonError::into_inner) =
            run.execution.command_id().to_owned();
        Ok(taken)
    }

    /// The refusal of a run whose device is busy.
    fn conflict(&self, device: &str, run: &RunState) -> ErrorBody {
        let holder = self.holder.lock().unwrap_or_else(PoisonError::into_inner);
        crate::conflict(device, &run.execution, &holder)
    }
}

/// Somebody who waits, until this is dropped.
struct Waiting<'a> {
    count: &'a AtomicUsize,
    /// How many waited before.
    before: usize,
}

impl<'a> Waiting<'a> {
    fn begin(count: &'a AtomicUsize) -> Self {
        let before = count.fetch_add(1, Ordering::Relaxed);
        Self { count, before }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}
