//! The event stream: server-sent events that clients can resume.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use http_body_util::BodyExt;
use http_body_util::channel::{Channel, Sender};
use hyper::Response;
use hyper::body::Bytes;
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use service::device_pool::{Delivery, Events};
use tokio::time::{Instant, MissedTickBehavior, interval_at};
use tokio_util::sync::CancellationToken;

use super::RouteRequest;
use crate::App;
use crate::input::error_with_hint;
use crate::reply::Reply;

/// Number of buffered events per connection.
const BUFFERED_FRAMES: usize = 8;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// `GET /events`.
pub(super) fn stream(app: &App, mut request: RouteRequest<'_>) -> Result<Reply, ErrorBody> {
    let device = request.query.take("deviceId");
    let by_query = request.query.take("lastEventId");
    request.query.finish()?;
    let by_header = match request.headers.get(LAST_EVENT_ID) {
        None => None,
        Some(id) => Some(id.to_str().map_err(|_| invalid_event_id())?.to_owned()),
    };
    let after = match by_header.or(by_query).filter(|id| !id.is_empty()) {
        None => None,
        Some(id) => Some(position(&id, &app.epoch)?),
    };
    let (sender, body) = Channel::<Bytes, Infallible>::new(BUFFERED_FRAMES);
    let following = EventStream {
        events: app.devices.events(after),
        device,
        epoch: app.epoch.clone(),
        sender,
    };
    tokio::spawn(following.run(app.shutdown.clone(), app.limits.heartbeat));
    let mut reply = Response::new(body.boxed_unsync());
    let headers = reply.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    Ok(reply)
}

/// The number in an event id; for an id of another process, all stored events are sent.
fn position(id: &str, epoch: &str) -> Result<u64, ErrorBody> {
    let (server_id, number) = id.split_once('-').ok_or_else(invalid_event_id)?;
    let number: u64 = number.parse().map_err(|_| invalid_event_id())?;
    Ok(if server_id == epoch { number } else { 0 })
}

fn invalid_event_id() -> ErrorBody {
    let message = "Last-Event-ID is not the id of an event";
    error_with_hint(ErrorCode::InvalidHeader, message)
}

/// A client of the stream.
struct EventStream {
    events: Events,
    device: Option<String>,
    epoch: String,
    sender: Sender<Bytes, Infallible>,
}

/// The bytes of an event, shared by all clients.
struct SharedFrame(Arc<[u8]>);

impl AsRef<[u8]> for SharedFrame {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl EventStream {
    /// Sends events until the client disconnects or the server shuts down.
    async fn run(mut self, over: CancellationToken, heartbeat: Duration) {
        let hello = format!(
            "retry: 1000\nid: {}-{}\nevent: heartbeat\ndata: {{\"code\":\"CONNECTED\",\"message\":\"events follow\"}}\n\n",
            self.epoch,
            self.events.last_delivered()
        );
        if self.sender.send_data(hello.into()).await.is_err() {
            return;
        }
        let mut beats = interval_at(Instant::now() + heartbeat, heartbeat);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let bytes = tokio::select! {
                biased;
                reported = self.events.next() => self.bytes(&reported),
                _ = beats.tick() => {
                    Some(Bytes::from_static(b"event: heartbeat\ndata: {\"code\":\"ALIVE\"}\n\n"))
                }
                () = over.cancelled() => return,
            };
            if let Some(bytes) = bytes
                && self.sender.send_data(bytes).await.is_err()
            {
                return;
            }
        }
    }

    /// The event, unless it concerns another device than requested.
    fn bytes(&self, reported: &Delivery) -> Option<Bytes> {
        let event = match reported {
            Delivery::Event(event) => event,
            Delivery::Missed(count) => {
                let text = format!("event: clawperator:missed\ndata: {{\"count\":{count}}}\n\n");
                return Some(text.into());
            }
        };
        let device = self.device.as_deref();
        if device.is_some_and(|device| event.kind.device() != Some(device)) {
            return None;
        }
        let common = event.rendered(|event| {
            let (epoch, id, name) = (&self.epoch, event.id, event.name());
            format!(
                "id: {epoch}-{id}\nevent: {name}\ndata: {}\n\n",
                event.json()
            )
            .into_bytes()
        });
        Some(Bytes::from_owner(SharedFrame(common)))
    }
}
