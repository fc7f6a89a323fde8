//! A phone with the Operator app, which receives a whole validated plan in one broadcast and answers in the
//! log.

mod collect;
mod listen;
mod log;
mod probe;
mod version;

use std::time::Duration;

use adb::{Progress, command};
use driver::{Cx, Dispatch, DriverError};
use tokio::time::Instant;

use crate::names::{NameError, check_package};
use crate::profile::PART_SEPARATOR;
use crate::shell::{RECONNECT_TIMEOUT, RETRY_PAUSE, Shell};
use collect::Collector;
pub use collect::{OperatorAnswer, Snapshot};
use listen::{Head, ListenOutcome, MarkResult, Stream};
pub use probe::{
    InstalledOperator, OperatorState, Presence, Probe, Switch, operator_state, probe,
    sibling_package,
};
pub use version::{SUPPORTED, Version};

/// The broadcast action of the app.
const ACTION: &str = "app.clawperator.operator.ACTION_AGENT_COMMAND";
/// The class of its accessibility service, relative to its package.
pub const SERVICE: &str = "clawperator.operator.accessibilityservice.OperatorAccessibilityService";
/// The maximum length of an adb service name with its command, in bytes.
const MAX: usize = 0xffff;
/// Timeout of the broadcast; `am` starts a virtual machine on old phones.
const HANDOVER: Duration = Duration::from_secs(20);
/// How long the log of a reconnected phone is read for a sign that the command arrived.
const SIGN: Duration = Duration::from_secs(2);

/// An Operator app on a phone.
#[derive(Clone, Debug)]
pub struct Operator {
    shell: Shell,
    package: String,
}

/// The result of a command.
#[derive(Clone, Debug, PartialEq)]
pub struct DispatchResult {
    /// Its progress.
    pub dispatch: Dispatch,
    /// The output of the app.
    pub answer: OperatorAnswer,
    /// The end of the wait.
    pub end: DispatchEnd,
}

/// How the wait for an answer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DispatchEnd {
    /// Answered.
    Answered,
    /// Timeout.
    Silent,
    /// No app received the broadcast; the phone's message. Nothing was done.
    NotTaken(String),
    /// The connection broke, or the phone is not usable; the reason.
    Lost(String),
    /// Cancelled.
    Cancelled,
}

/// A payload that is too long for a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the broadcast takes {bytes} bytes, and adb carries {MAX}")]
pub struct PayloadTooLong {
    /// The length of the command in bytes.
    pub bytes: usize,
}

impl Operator {
    /// The app with this package.
    pub fn new(shell: Shell, package: &str) -> Result<Self, NameError> {
        check_package(package)?;
        Ok(Self {
            shell,
            package: package.to_owned(),
        })
    }

    /// Its package.
    pub fn package(&self) -> &str {
        &self.package
    }

    /// Checks whether a payload fits into a command line.
    pub fn check(&self, payload: &str) -> Result<(), PayloadTooLong> {
        let bytes = self.service(&mark(), payload).len();
        if bytes <= MAX {
            Ok(())
        } else {
            Err(PayloadTooLong { bytes })
        }
    }

    /// The service that sends a payload and then reads the log, in one stream: `date` gives the start of the
    /// log, `log` writes a mark before which nothing belongs to this command, even if ids repeat, and `pidof`
    /// gives the process whose lines count.
    fn service(&self, mark: &str, payload: &str) -> String {
        let broadcast = command([
            "am",
            "broadcast",
            "-a",
            ACTION,
            "-p",
            &self.package,
            "--es",
            "payload",
            payload,
            "--receiver-foreground",
        ]);
        format!(
            "exec:s=$(date +%s); echo $s; log -t clawperator {mark} || echo no-mark; echo {PART_SEPARATOR}; \
             pidof {}; echo {PART_SEPARATOR}; {broadcast} 2>&1; echo {PART_SEPARATOR} $?; exec logcat -v threadtime -T $((s - 1)).000 2>&1",
            self.package
        )
    }

    /// Sends a payload to the app and waits for its answer, at most for `answer_timeout` after the broadcast.
    ///
    /// Nothing is sent twice. If the connection breaks, the log of a phone that comes back soon still shows
    /// what happened to the command.
    pub async fn dispatch(
        &self,
        cx: &Cx,
        command_id: &str,
        payload: &str,
        answer_timeout: Duration,
    ) -> DispatchResult {
        let payload = payload.replace(['\n', '\r'], " ");
        let mark = mark();
        let mut call = Call {
            operator: self,
            cx,
            command_id,
            mark: &mark,
            answer_timeout,
            dispatch: Dispatch::NotSent,
            since: None,
            head: None,
        };
        let (answer, end) = call.run(&payload).await;
        DispatchResult {
            dispatch: call.dispatch,
            answer,
            end,
        }
    }
}

/// A mark that no earlier command has used.
#[expect(
    clippy::expect_used,
    reason = "without the system's random numbers an answer could be taken for that of another command"
)]
fn mark() -> String {
    let number = getrandom::u64().expect("the system has random numbers");
    format!("begin-{number:016x}")
}

/// A running command.
struct Call<'a> {
    operator: &'a Operator,
    cx: &'a Cx,
    command_id: &'a str,
    mark: &'a str,
    answer_timeout: Duration,
    dispatch: Dispatch,
    /// The phone's time at the start, in seconds since 1970.
    since: Option<u64>,
    /// The result of the broadcast.
    head: Option<Head>,
}

impl Call<'_> {
    fn collector(&self) -> Collector {
        let mut collector = Collector::new(self.command_id, self.mark);
        if let Some(head) = &self.head {
            collector.begin(head);
        }
        collector
    }

    async fn run(&mut self, payload: &str) -> (OperatorAnswer, DispatchEnd) {
        let service = self.operator.service(self.mark, payload);
        if service.len() > MAX {
            let why = PayloadTooLong {
                bytes: service.len(),
            };
            return (
                OperatorAnswer::default(),
                DispatchEnd::NotTaken(why.to_string()),
            );
        }
        // If the future is dropped while the stream is being opened, it is unknown whether it was.
        self.dispatch = Dispatch::Unknown;
        let opened = self.cx.run(self.operator.shell.phone().open(&service));
        let mut stream = match opened.await {
            Ok(Ok(pipe)) => Stream::new(pipe),
            Ok(Err(error)) => {
                let why = error.to_string();
                if error.reach == Progress::NotStarted {
                    self.dispatch = Dispatch::NotSent;
                    return (OperatorAnswer::default(), DispatchEnd::Lost(why));
                }
                return self.reconnect(why, Instant::now() + SIGN).await;
            }
            Err(end) => return (OperatorAnswer::default(), dispatch_end(&end)),
        };
        let head = tokio::time::timeout(HANDOVER, self.cx.run(stream.head())).await;
        self.since = stream.since();
        let head = match head {
            Ok(Ok(Ok(head))) => head,
            Ok(Ok(Err(why))) => return self.reconnect(why, Instant::now() + SIGN).await,
            Ok(Err(end)) => return (OperatorAnswer::default(), dispatch_end(&end)),
            Err(_) => return (OperatorAnswer::default(), DispatchEnd::Silent),
        };
        if let Some(answer) = head.refusal() {
            // A program killed by a signal may have done its work before.
            if !head.was_killed() {
                self.dispatch = Dispatch::NotSent;
            }
            return (OperatorAnswer::default(), DispatchEnd::NotTaken(answer));
        }
        self.dispatch = Dispatch::Sent;
        self.head = Some(head);
        let mut collector = self.collector();
        let until = Instant::now() + self.answer_timeout;
        match self.listen(&mut stream, &mut collector, until).await {
            Ok(end) => (collector.finish(), end),
            Err(why) => self.reconnect(why, until).await,
        }
    }

    /// Reads the log until the answer is complete or the time is up; an error if the stream ends first.
    async fn listen(
        &self,
        stream: &mut Stream,
        collector: &mut Collector,
        until: Instant,
    ) -> Result<DispatchEnd, String> {
        let received = self.cx.run(stream.listen(collector));
        match tokio::time::timeout_at(until, received).await {
            Ok(Ok(ListenOutcome::Answered)) => Ok(DispatchEnd::Answered),
            Ok(Ok(ListenOutcome::Broken)) => Ok(DispatchEnd::Silent),
            Ok(Ok(ListenOutcome::LogEnded(why))) => Err(why),
            Ok(Err(end)) => Ok(dispatch_end(&end)),
            Err(_) => Ok(DispatchEnd::Silent),
        }
    }

    /// The start time for reading the log again; the whole log if a mark identifies the lines of the command.
    fn starting_point(&self) -> String {
        let unmarked = matches!(&self.head, Some(head) if head.marked == MarkResult::No);
        match self.since {
            Some(since) if unmarked => format!(" -T {}.000", since.saturating_sub(1)),
            Some(_) | None => String::new(),
        }
    }

    /// After a broken connection: reads the phone's log once it is back. This changes nothing on it.
    async fn reconnect(&mut self, why: String, until: Instant) -> (OperatorAnswer, DispatchEnd) {
        let back_by = Instant::now() + RECONNECT_TIMEOUT;
        let mut until = until;
        let mut last = OperatorAnswer::default();
        while Instant::now() < back_by.min(until) {
            let service = format!("exec:logcat -v threadtime{} 2>&1", self.starting_point());
            let opened = self.cx.run(self.operator.shell.phone().open(&service));
            match tokio::time::timeout_at(back_by, opened).await {
                Ok(Ok(Ok(pipe))) => {
                    let mut collector = self.collector();
                    let mut stream = Stream::new(pipe);
                    // Without a sign of the command the wait is short.
                    let sign = (Instant::now() + SIGN).min(until);
                    let first = if self.dispatch == Dispatch::Sent {
                        until
                    } else {
                        sign
                    };
                    let mut end = self.listen(&mut stream, &mut collector, first).await;
                    if end == Ok(DispatchEnd::Silent)
                        && self.dispatch != Dispatch::Sent
                        && collector.answer_so_far().received
                    {
                        self.dispatch = Dispatch::Sent;
                        until = Instant::now() + self.answer_timeout;
                        end = self.listen(&mut stream, &mut collector, until).await;
                    }
                    last = collector.finish();
                    if last.received {
                        self.dispatch = Dispatch::Sent;
                    }
                    match end {
                        Ok(DispatchEnd::Silent) if self.dispatch != Dispatch::Sent => break,
                        Ok(end) => return (last, end),
                        Err(_) => {}
                    }
                }
                Ok(Err(end)) => return (last, dispatch_end(&end)),
                Ok(Ok(Err(_))) | Err(_) => {}
            }
            if let Err(end) = self.cx.sleep(RETRY_PAUSE).await {
                return (last, dispatch_end(&end));
            }
        }
        (last, DispatchEnd::Lost(why))
    }
}

/// The end of a context.
fn dispatch_end(end: &DriverError) -> DispatchEnd {
    if *end == DriverError::Cancelled {
        DispatchEnd::Cancelled
    } else {
        DispatchEnd::Silent
    }
}
