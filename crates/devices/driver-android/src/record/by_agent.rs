//! Records the user's actions by the accessibility events that the agent tells.

use std::time::Duration;

use agent_protocol::AppEventKind;
use driver::Cx;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::event_writer::EventWriter;
use super::{
    LOOK_WITHIN, Limit, MAX_RECONNECT_DELAY, Opening, RECONNECT_DELAY, RecordError, RecordingEvent,
    RecordingResult, Session, TouchSupport, Write, Writer, header, open, since,
};
use crate::agent::{AgentClient, AgentSource, Happened, listen};
use crate::shell::Shell;

/// The name of this recorder in session files.
pub const EVENT_RECORDER: &str = "agent-events";
/// How long a text or a scroll waits for a later one of the same node.
const SETTLE: Duration = Duration::from_secs(1);
/// The events that are recorded.
const TYPES: u64 = AppEventKind::Clicked as u64
    | AppEventKind::LongClicked as u64
    | AppEventKind::TextChanged as u64
    | AppEventKind::WindowChanged as u64
    | AppEventKind::Scrolled as u64;

/// Records until `stop` or a limit of the session. Clients of the agent can use it meanwhile.
///
/// # Errors
/// If the agent cannot be used, or the file cannot be written. A phone that is lost later is a gap and not an error.
pub async fn record_by_agent(
    phone: adb::Phone,
    source: AgentSource,
    session: &Session,
    stop: CancellationToken,
    write: Write<'_>,
    on_event: &mut (dyn FnMut(RecordingEvent) + Send),
) -> Result<RecordingResult, RecordError> {
    let Opening {
        started,
        shell,
        profile,
        ..
    } = open(&phone, &stop).await?;
    let mut recording = EventRecording {
        started,
        shell,
        sdk: profile.sdk,
        source,
        stop,
        events: EventWriter::new(session.epoch_ms),
        write: Writer { write, bytes: 0 },
    };
    let client = recording.listen().await?;
    let header = header(session, &profile, EVENT_RECORDER, TouchSupport::Touches);
    recording.write.line(&header.to_string())?;
    on_event(RecordingEvent::Ready(TouchSupport::Touches));
    recording.run(session, client).await
}

struct EventRecording<'a> {
    started: Instant,
    shell: Shell,
    sdk: u32,
    source: AgentSource,
    stop: CancellationToken,
    events: EventWriter,
    write: Writer<'a>,
}

impl EventRecording<'_> {
    async fn listen(&mut self) -> Result<AgentClient, RecordError> {
        let cx = Cx::new(LOOK_WITHIN, self.stop.clone());
        let listening = listen(&self.shell, &cx, self.sdk, &self.source, TYPES).await;
        listening.map_err(|why| RecordError::Agent(why.to_string()))
    }

    async fn run(
        &mut self,
        session: &Session,
        first: AgentClient,
    ) -> Result<RecordingResult, RecordError> {
        let mut client = Some(first);
        let end = self.started + session.limits.time;
        let limit = loop {
            let reached = match &client {
                Some(listening) => {
                    let limit = self.hear(listening, session, end).await?;
                    if limit.is_none() && !self.stop.is_cancelled() {
                        let why = "the connection to the agent broke: events are not recorded";
                        self.events.gap(since(self.started), why);
                        client = None;
                        continue;
                    }
                    limit
                }
                None => match self.reconnect(session, end).await? {
                    Ok(again) => {
                        let why = "events are recorded again";
                        self.events.gap(since(self.started), why);
                        client = Some(again);
                        continue;
                    }
                    Err(limit) => limit,
                },
            };
            break reached;
        };
        let now = since(self.started);
        self.events.settle();
        if let Some(limit) = limit {
            let why = format!("the recording ended by itself: {limit}");
            self.events.gap(now, &why);
        }
        self.flush()?;
        Ok(RecordingResult {
            tally: self.events.tally(),
            limit,
        })
    }

    /// Records until a limit, a stop, or the end of the connection.
    async fn hear(
        &mut self,
        client: &AgentClient,
        session: &Session,
        end: Instant,
    ) -> Result<Option<Limit>, RecordError> {
        loop {
            let (stopped, quiet) = tokio::select! {
                biased;
                () = self.stop.cancelled() => (true, false),
                () = client.happened() => (false, false),
                () = tokio::time::sleep(SETTLE) => (false, true),
                () = tokio::time::sleep_until(end) => (false, false),
            };
            for Happened { at, lost, event } in client.take_events() {
                let at = at.saturating_duration_since(self.started);
                self.events.event(at.as_secs_f64() * 1000.0, lost, &event);
            }
            if quiet {
                self.events.settle();
            }
            self.flush()?;
            if self.write.bytes >= session.limits.bytes {
                return Ok(Some(Limit::Bytes(session.limits.bytes)));
            }
            if Instant::now() >= end {
                return Ok(Some(Limit::Time(session.limits.time)));
            }
            if stopped || client.is_broken() {
                return Ok(None);
            }
        }
    }

    /// Listens again; the limit if that takes too long, `None` when the recording is stopped.
    async fn reconnect(
        &mut self,
        session: &Session,
        end: Instant,
    ) -> Result<Result<AgentClient, Option<Limit>>, RecordError> {
        self.flush()?;
        let lost = Instant::now();
        let mut pause = RECONNECT_DELAY;
        loop {
            tokio::select! {
                biased;
                () = self.stop.cancelled() => return Ok(Err(None)),
                () = tokio::time::sleep_until(end) => {
                    return Ok(Err(Some(Limit::Time(session.limits.time))));
                }
                () = tokio::time::sleep(pause) => {}
            }
            match self.listen().await {
                Ok(client) => return Ok(Ok(client)),
                Err(_) if lost.elapsed() >= session.limits.away => {
                    return Ok(Err(Some(Limit::Away(session.limits.away))));
                }
                // The gap has the reason.
                Err(_) => pause = (pause * 2).min(MAX_RECONNECT_DELAY),
            }
        }
    }

    fn flush(&mut self) -> Result<(), RecordError> {
        for line in self.events.lines() {
            self.write.line(&line.to_string())?;
        }
        Ok(())
    }
}
