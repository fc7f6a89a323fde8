//! Connections: accepting up to a limit, serving, and graceful shutdown.

use std::convert::Infallible;
use std::future::poll_fn;
use std::sync::Arc;
use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::App;
use crate::auto_response_filter::AutoResponseFilter;
use crate::input::error_with_hint;
use crate::reply;
use crate::routes;
use crate::write_timeout::WriteTimeout;

/// Delay before accepting again after the system ran out of resources.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// Time for the last responses to arrive at shutdown.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);
/// Time for the responses of cancelled runs at shutdown.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(1);
/// Maximum number of concurrent refusals.
const MAX_REJECTIONS: usize = 128;
/// Time for a connection to close after its last response.
const LINGER: Duration = Duration::from_secs(2);
/// Maximum number of bytes to drain meanwhile.
const MAX_DRAIN: usize = 1 << 20;
/// Maximum size of a request head in bytes, and maximum number of headers.
const MAX_HEAD: usize = 64 * 1024;
const MAX_HEADERS: usize = 64;

/// Serves until `stop`, then until the running requests finish or `now`.
pub(crate) async fn serve(
    listener: TcpListener,
    app: Arc<App>,
    stop: CancellationToken,
    now: CancellationToken,
) {
    let room = Arc::new(Semaphore::new(app.limits.connections));
    let door = Arc::new(Semaphore::new(MAX_REJECTIONS));
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            biased;
            () = stop.cancelled() => break,
            () = now.cancelled() => break,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    // Responses are written in one piece; Nagle's algorithm would delay them.
                    let _ = stream.set_nodelay(true);
                    match Arc::clone(&room).try_acquire_owned() {
                        Ok(place) => {
                            let (app, stop) = (Arc::clone(&app), stop.clone());
                            connections.spawn(async move {
                                serve_connection(stream, app, stop).await;
                                drop(place);
                            });
                        }
                        Err(_) => {
                            // Refusals are limited, too; beyond the limit the connection is closed.
                            if let Ok(place) = Arc::clone(&door).try_acquire_owned() {
                                let stop = stop.clone();
                                connections.spawn(async move {
                                    reject_connection(stream, stop).await;
                                    drop(place);
                                });
                            }
                        }
                    }
                }
                // The client disconnected, or the system is out of resources; the server continues.
                Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
            },
        }
    }
    // Closes the listener, so that new connections are refused.
    drop(listener);
    let finish = async {
        app.devices.drain().await;
        app.shutdown.cancel();
        let left = async { while connections.join_next().await.is_some() {} };
        // Does not wait for clients that do not read.
        let _ = tokio::time::timeout(CLOSE_TIMEOUT, left).await;
    };
    let cancel = async {
        now.cancelled().await;
        app.devices.cancel_all();
        tokio::time::sleep(CANCEL_TIMEOUT).await;
    };
    tokio::select! {
        biased;
        () = cancel => app.shutdown.cancel(),
        () = finish => {}
    }
}

/// Serves a connection until it closes.
async fn serve_connection(stream: TcpStream, app: Arc<App>, stop: CancellationToken) {
    let limits = app.limits;
    let io = TokioIo::new(AutoResponseFilter::new(WriteTimeout::new(
        stream,
        limits.answer,
    )));
    let answer = service_fn(move |request: Request<Incoming>| {
        let app = Arc::clone(&app);
        Box::pin(async move { Ok::<_, Infallible>(routes::answer(&app, request).await) })
    });
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_headers(MAX_HEADERS)
        .max_buf_size(MAX_HEAD)
        .serve_connection(io, answer);
    let ended = tokio::select! {
        ended = poll_fn(|cx| connection.poll_without_shutdown(cx)) => ended,
        () = stop.cancelled() => {
            Pin::new(&mut connection).graceful_shutdown();
            poll_fn(|cx| connection.poll_without_shutdown(cx)).await
        }
    };
    let parts = connection.into_parts();
    let (mut stream, held_back) = parts.io.into_inner().into_parts();
    // No response to an idle connection that sent nothing.
    let first_byte = parts.read_buf.first();
    let refusal = match (&ended, held_back, first_byte) {
        (_, Some(status), first_byte) => Some(invalid_request(status, first_byte.copied())),
        (Err(error), None, Some(_)) if error.is_timeout() => {
            let message = format!(
                "the request head did not arrive within {} ms",
                limits.head.as_millis()
            );
            Some(ErrorBody::new(ErrorCode::RequestTimeout, message).with_default_hint())
        }
        (Err(error), None, Some(first)) if error.is_parse() => {
            Some(invalid_request(StatusCode::BAD_REQUEST, Some(*first)))
        }
        (Ok(()) | Err(_), None, _) => None,
    };
    close_gracefully(&mut stream, refusal.as_ref(), &stop).await;
}

/// The error for a malformed request, by hyper's status and the first byte.
fn invalid_request(status: StatusCode, first: Option<u8>) -> ErrorBody {
    /// First byte of a TLS handshake.
    const HANDSHAKE: u8 = 22;
    if status != StatusCode::BAD_REQUEST {
        let message = format!("the request head exceeds {MAX_HEAD} bytes or {MAX_HEADERS} headers");
        return error_with_hint(ErrorCode::HeadTooLarge, message)
            .with_detail("limit", MAX_HEAD)
            .with_detail("headers", MAX_HEADERS);
    }
    let error = error_with_hint(ErrorCode::InvalidRequest, "this is not an HTTP/1.1 request");
    match first {
        Some(HANDSHAKE) => error.with_hint("Use http://, because this server does not use TLS"),
        Some(_) | None => error,
    }
}

/// Refuses a connection because the server is at its limit.
async fn reject_connection(mut stream: TcpStream, stop: CancellationToken) {
    let error = ErrorBody::new(ErrorCode::ServerBusy, "too many connections");
    close_gracefully(&mut stream, Some(&error.with_default_hint()), &stop).await;
}

/// Closes a connection after an optional last response. Input is drained for a moment, because closing with unread
/// input may discard the response.
async fn close_gracefully<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    refusal: Option<&ErrorBody>,
    stop: &CancellationToken,
) {
    let exchange = async {
        if let Some(error) = refusal {
            stream.write_all(&reply::raw_error_reply(error)).await?;
        }
        stream.shutdown().await?;
        let (mut waste, mut left) = (vec![0; 4096], MAX_DRAIN);
        while left > 0 {
            let read = tokio::select! {
                read = stream.read(&mut waste) => read?,
                // Shutdown does not wait for this.
                () = stop.cancelled() => break,
            };
            if read == 0 {
                break;
            }
            left = left.saturating_sub(read);
        }
        Ok::<_, std::io::Error>(())
    };
    // Errors and timeouts are ignored.
    let _ = tokio::time::timeout(LINGER, exchange).await;
}
