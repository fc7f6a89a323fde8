//! The context of every call to a device: deadline and cancellation.

use std::future::Future;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::{DriverError, Result};

/// The context of a call: its deadline and its cancellation.
#[derive(Clone, Debug)]
pub struct Cx {
    deadline: Instant,
    cancel: CancellationToken,
}

impl Cx {
    /// A context that ends after `budget`, or earlier when `cancel` is cancelled.
    pub fn new(budget: Duration, cancel: CancellationToken) -> Self {
        Self {
            deadline: Instant::now() + budget,
            cancel,
        }
    }

    /// The same context with a deadline of at most `budget` from now.
    pub fn within(&self, budget: Duration) -> Self {
        Self {
            deadline: self.deadline.min(Instant::now() + budget),
            cancel: self.cancel.clone(),
        }
    }

    /// The deadline.
    pub const fn deadline(&self) -> Instant {
        self.deadline
    }

    /// The time until the deadline; zero once it has passed.
    pub fn remaining(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// An error when the context has ended.
    pub fn check(&self) -> Result<()> {
        if self.cancel.is_cancelled() {
            Err(DriverError::Cancelled)
        } else if self.remaining().is_zero() {
            Err(DriverError::Deadline)
        } else {
            Ok(())
        }
    }

    /// Waits for `duration`; an error when the context ends first.
    pub async fn sleep(&self, duration: Duration) -> Result<()> {
        self.run(tokio::time::sleep(duration)).await
    }

    /// Waits for `work`, or until the context ends; `work` is dropped then.
    pub async fn run<T>(&self, work: impl Future<Output = T>) -> Result<T> {
        tokio::select! {
            biased;
            done = work => Ok(done),
            end = self.ended() => Err(end),
        }
    }

    /// Waits until the context ends and returns the reason.
    pub async fn ended(&self) -> DriverError {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => DriverError::Cancelled,
            () = tokio::time::sleep_until(self.deadline) => DriverError::Deadline,
        }
    }
}
