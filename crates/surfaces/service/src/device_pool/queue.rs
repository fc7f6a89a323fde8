//! The queue of one device: a FIFO lock.

use std::future::Future;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use tokio::runtime::Runtime;
use tokio::sync::OwnedMutexGuard;
use tokio::time::Instant;

use super::run::RunState;

#[derive(Debug)]
pub(super) struct DeviceQueue {
    /// A fair mutex.
    slot: Arc<tokio::sync::Mutex<DeviceState>>,
    holder: Mutex<String>,
    waiting: AtomicUsize,
    most: usize,
}

/// Exclusive access to a device.
#[derive(Debug, Default)]
pub(super) struct DeviceState {
    /// The runtime of a simulated phone.
    time: Option<PausedRuntime>,
}

impl DeviceState {
    /// The paused runtime of a simulated phone; time passes during runs, and a little between them.
    pub(super) fn runtime(&mut self) -> Result<PausedRuntime, ErrorBody> {
        if let Some(time) = self.time.take() {
            return Ok(time);
        }
        let made = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build();
        made.map(|runtime| PausedRuntime {
            runtime: Some(runtime),
            has_run: false,
        })
        .map_err(|error| {
            let message = format!("a simulated phone cannot be started: {error}");
            ErrorBody::new(ErrorCode::InternalError, message).with_default_hint()
        })
    }

    /// Returns the runtime.
    pub(super) fn put(&mut self, time: PausedRuntime) {
        self.time = Some(time);
    }
}

/// How much of a phone's time passes between two runs. It is always the same, so that the same requests have the same answers,
/// and it is less than what a snackbar or a toast is shown for.
pub const BETWEEN_RUNS: Duration = Duration::from_millis(500);

/// A runtime whose time advances only while something waits for it.
#[derive(Debug)]
pub(super) struct PausedRuntime {
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
    has_run: bool,
}

impl PausedRuntime {
    /// Runs a future in it on this thread, some time after the one before. `None` only after it was dropped.
    pub(super) fn run<T>(&mut self, work: impl Future<Output = T>) -> Option<T> {
        let is_later = std::mem::replace(&mut self.has_run, true);
        self.runtime.as_ref().map(|runtime| {
            runtime.block_on(async {
                if is_later {
                    tokio::time::sleep(BETWEEN_RUNS).await;
                }
                work.await
            })
        })
    }
}

impl Drop for PausedRuntime {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Drop may run in async code, so shut down without blocking; no tasks remain.
            runtime.shutdown_background();
        }
    }
}

impl DeviceQueue {
    /// A free queue with this capacity.
    pub(super) fn new(most: usize) -> Self {
        Self {
            slot: Arc::default(),
            holder: Mutex::default(),
            waiting: AtomicUsize::new(0),
            most,
        }
    }

    /// Waits for the lock until a deadline, or takes it at once.
    ///
    /// # Errors
    /// `EXECUTION_CONFLICT_IN_FLIGHT` with the command that holds the device.
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
                let started_at = Instant::now();
                let waiting = WaitCounter::begin(&self.waiting);
                if waiting.before >= self.most {
                    return Err(self
                        .conflict(device, run)
                        .with_detail("waiting", waiting.before)
                        .with_hint("Too many runs wait for this device; try again later"));
                }
                match tokio::time::timeout_at(until, slot.lock_owned()).await {
                    Ok(taken) => taken,
                    Err(_) => {
                        let waited = started_at.elapsed().as_millis();
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

    /// The error of a run whose device is busy.
    fn conflict(&self, device: &str, run: &RunState) -> ErrorBody {
        let holder = self.holder.lock().unwrap_or_else(PoisonError::into_inner);
        crate::plan_run::conflict(device, &run.execution, &holder)
    }
}

/// Counts a waiting run until it is dropped.
struct WaitCounter<'a> {
    count: &'a AtomicUsize,
    /// The number of runs that waited before.
    before: usize,
}

impl<'a> WaitCounter<'a> {
    fn begin(count: &'a AtomicUsize) -> Self {
        let before = count.fetch_add(1, Ordering::Relaxed);
        Self { count, before }
    }
}

impl Drop for WaitCounter<'_> {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}
