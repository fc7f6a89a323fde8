//! A phone with the Operator app: it takes a whole validated plan in one broadcast and answers in its log.

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
use crate::profile::NEXT;
use crate::shell::Shell;
use collect::Collector;
pub use collect::{OperatorAnswer, Snapshot};
use listen::{Head, ListenOutcome, MarkResult, Stream};
pub use probe::{
    InstalledOperator, OperatorState, Presence, Probe, Switch, operator_state, probe,
    sibling_package,
};
pub use version::{SPOKEN, Version};

/// What the app listens for.
const ACTION: &str = "app.clawperator.operator.ACTION_AGENT_COMMAND";
/// The class of its accessibility service, behind the name of its package.
pub const SERVICE: &str = "clawperator.operator.accessibilityservice.OperatorAccessibilityService";
/// The longest command that an adb server takes, in bytes, with the name of the service before it.
const LONGEST: usize = 0xffff;
/// How long `am` is given for handing a broadcast over; it starts a virtual machine on old phones.
const HANDOVER: Duration = Duration::from_secs(20);
/// How long a phone is given to come back, for what it has written into its log meanwhile.
const AWAY: Duration = Duration::from_secs(3);
/// The pause between two attempts to reach it again.
const BREATH: Duration = Duration::from_millis(100);
/// How long the log of a phone that is back is read for a sign that the command had arrived.
const SIGN: Duration = Duration::from_secs(2);

/// An Operator app on a phone.
#[derive(Clone, Debug)]
pub struct Operator {
    shell: Shell,
    package: String,
}

/// What became of a command.
#[derive(Clone, Debug, PartialEq)]
pub struct DispatchResult {
    /// How far it had come.
    pub dispatch: Dispatch,
    /// What the app said of it.
    pub said: OperatorAnswer,
    /// How the wait for its answer ended.
    pub end: DispatchEnd,
}

/// How the wait for an answer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DispatchEnd {
    /// With the answer.
    Answered,
    /// The time was over.
    Silent,
    /// The broadcast reached nobody, in the phone's words; nothing was done.
    NotTaken(String),
    /// The connection broke, or the phone cannot be used, in words.
    Lost(String),
    /// Nobody wants to know any more.
    Cancelled,
}

/// A payload that no command line of a phone holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the broadcast takes {bytes} bytes, and adb carries {LONGEST}")]
pub struct PayloadTooLong {
    /// How many bytes the command takes.
    pub bytes: usize,
}

impl Operator {
    /// The app of this name.
    ///
    /// # Errors
    /// When it is no name of a package.
    pub fn new(shell: Shell, package: &str) -> Result<Self, NameError> {
        check_package(package)?;
        Ok(Self {
            shell,
            package: package.to_owned(),
        })
    }

    /// Its name.
    pub fn package(&self) -> &str {
        &self.package
    }

    /// Whether a payload fits into a command line.
    ///
    /// # Errors
    /// When it does not: nothing of it can be sent.
    pub fn check(&self, payload: &str) -> Result<(), PayloadTooLong> {
        let bytes = self.service(&mark(), payload).len();
        if bytes <= LONGEST {
            Ok(())
        } else {
            Err(PayloadTooLong { bytes })
        }
    }

    /// The service of the phone that hands a payload over and then reads the log, in one stream: `date` says from when on
    /// the log counts, `log` puts a mark into it before which nothing belongs to this command, whatever ids were used
    /// before, `pidof` whose lines count.
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
            "exec:s=$(date +%s); echo $s; log -t clawperator {mark} || echo no-mark; echo {NEXT}; \
             pidof {}; echo {NEXT}; {broadcast} 2>&1; echo {NEXT} $?; exec logcat -v threadtime -T $((s - 1)).000 2>&1",
            self.package
        )
    }

    /// Hands the app a payload and waits for its answer, at most for `patience` from the moment at which it was handed
    /// over.
    ///
    /// Nothing is sent twice. When the connection breaks on the way, the log of a phone that comes back soon is read for
    /// what became of the command, which is known then all the same.
    pub async fn dispatch(
        &self,
        cx: &Cx,
        command_id: &str,
        payload: &str,
        patience: Duration,
    ) -> DispatchResult {
        let payload = payload.replace(['\n', '\r'], " ");
        let mark = mark();
        let mut call = Call {
            operator: self,
            cx,
            command_id,
            mark: &mark,
            patience,
            dispatch: Dispatch::NotSent,
            since: None,
            head: None,
        };
        let (said, end) = call.run(&payload).await;
        DispatchResult {
            dispatch: call.dispatch,
            said,
            end,
        }
    }
}

/// A word that no earlier command has put into a log.
#[expect(
    clippy::expect_used,
    reason = "without the system's random numbers an answer could be taken for that of another command"
)]
fn mark() -> String {
    let number = getrandom::u64().expect("the system has random numbers");
    format!("begin-{number:016x}")
}

/// A command on its way.
struct Call<'a> {
    operator: &'a Operator,
    cx: &'a Cx,
    command_id: &'a str,
    mark: &'a str,
    patience: Duration,
    dispatch: Dispatch,
    /// From when on the phone's log counts, in seconds since 1970.
    since: Option<u64>,
    /// What was said of handing the command over.
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
        if service.len() > LONGEST {
            let why = PayloadTooLong {
                bytes: service.len(),
            };
            return (
                OperatorAnswer::default(),
                DispatchEnd::NotTaken(why.to_string()),
            );
        }
        // Whoever gives up while the stream is being opened does not know whether it was.
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
        if let Some(said) = head.refusal() {
            // A program that a signal has ended may have done its work before.
            if !head.was_killed() {
                self.dispatch = Dispatch::NotSent;
            }
            return (OperatorAnswer::default(), DispatchEnd::NotTaken(said));
        }
        self.dispatch = Dispatch::Sent;
        self.head = Some(head);
        let mut collector = self.collector();
        let until = Instant::now() + self.patience;
        match self.listen(&mut stream, &mut collector, until).await {
            Ok(end) => (collector.finish(), end),
            Err(why) => self.reconnect(why, until).await,
        }
    }

    /// Reads the log until the answer is there or the time is over; an error when the stream ends first.
    async fn listen(
        &self,
        stream: &mut Stream,
        collector: &mut Collector,
        until: Instant,
    ) -> Result<DispatchEnd, String> {
        let heard = self.cx.run(stream.listen(collector));
        match tokio::time::timeout_at(until, heard).await {
            Ok(Ok(ListenOutcome::Answered)) => Ok(DispatchEnd::Answered),
            Ok(Ok(ListenOutcome::Broken)) => Ok(DispatchEnd::Silent),
            Ok(Ok(ListenOutcome::Over(why))) => Err(why),
            Ok(Err(end)) => Ok(dispatch_end(&end)),
            Err(_) => Ok(DispatchEnd::Silent),
        }
    }

    /// From when on a log is read again: all of it, where a mark tells which lines belong to the command.
    fn starting_point(&self) -> String {
        let unmarked = matches!(&self.head, Some(head) if head.marked == MarkResult::No);
        match self.since {
            Some(since) if unmarked => format!(" -T {}.000", since.saturating_sub(1)),
            Some(_) | None => String::new(),
        }
    }

    /// The connection broke: reads the log of the phone as soon as it is back. Reading changes nothing on it.
    async fn reconnect(&mut self, why: String, until: Instant) -> (OperatorAnswer, DispatchEnd) {
        let back_by = Instant::now() + AWAY;
        let mut until = until;
        let mut last = OperatorAnswer::default();
        while Instant::now() < back_by.min(until) {
            let service = format!("exec:logcat -v threadtime{} 2>&1", self.starting_point());
            let opened = self.cx.run(self.operator.shell.phone().open(&service));
            match tokio::time::timeout_at(back_by, opened).await {
                Ok(Ok(Ok(pipe))) => {
                    let mut collector = self.collector();
                    let mut stream = Stream::new(pipe);
                    // Without a sign of the command it is not waited for as long as it may take.
                    let sign = (Instant::now() + SIGN).min(until);
                    let first = if self.dispatch == Dispatch::Sent {
                        until
                    } else {
                        sign
                    };
                    let mut end = self.listen(&mut stream, &mut collector, first).await;
                    if end == Ok(DispatchEnd::Silent)
                        && self.dispatch != Dispatch::Sent
                        && collector.answer_so_far().heard
                    {
                        self.dispatch = Dispatch::Sent;
                        until = Instant::now() + self.patience;
                        end = self.listen(&mut stream, &mut collector, until).await;
                    }
                    last = collector.finish();
                    if last.heard {
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
            if let Err(end) = self.cx.sleep(BREATH).await {
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
