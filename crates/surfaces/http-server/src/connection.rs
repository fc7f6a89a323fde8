//! Connections: taken in up to a number, served one by one, and ended in peace.

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
use crate::input::bad;
use crate::reply;
use crate::routes;
use crate::write_timeout::WriteTimeout;

/// How long nothing is accepted after the system had no room for a connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// How long the last answers may take to arrive once everything has ended.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);
/// How long the answers of runs that were cancelled at the end may take.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(1);
/// How many connections are told at a time that there is no room for them.
const MAX_REJECTIONS: usize = 128;
/// How long a connection that has its last answer may take to end.
const LINGER: Duration = Duration::from_secs(2);
/// How much is read from it meanwhile.
const MAX_DRAIN: usize = 1 << 20;
/// How many bytes the head of a request has at most, and how many headers.
const MAX_HEAD: usize = 64 * 1024;
const MAX_HEADERS: usize = 64;

/// Serves until it is told to stop, and then until what runs has ended or `now`.
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
                    // Answers are written as a whole; waiting for more would only delay them.
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
                            // To be told so takes room, too; without any the connection just ends.
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
                // The other end was gone again, or the system has no room: neither ends the server.
                Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
            },
        }
    }
    // Whoever comes now is told at once that nobody listens.
    drop(listener);
    let finish = async {
        app.devices.drain().await;
        app.shutdown.cancel();
        let left = async { while connections.join_next().await.is_some() {} };
        // Whoever takes no answer is not waited for.
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

/// Serves one connection to its end.
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
    // Whoever said nothing is told nothing: such a connection was only kept for later.
    let said = parts.read_buf.first();
    let wrong = match (&ended, held_back, said) {
        (_, Some(status), said) => Some(invalid_request(status, said.copied())),
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
    close_gracefully(&mut stream, wrong.as_ref(), &stop).await;
}

/// What is no request, by the status that the HTTP library has for it and the first letter that it does not understand.
fn invalid_request(status: StatusCode, first: Option<u8>) -> ErrorBody {
    /// What a client that wants encryption says first.
    const HANDSHAKE: u8 = 22;
    if status != StatusCode::BAD_REQUEST {
        let message = format!("the request head exceeds {MAX_HEAD} bytes or {MAX_HEADERS} headers");
        return bad(ErrorCode::HeadTooLarge, message)
            .with_detail("limit", MAX_HEAD)
            .with_detail("headers", MAX_HEADERS);
    }
    let error = bad(ErrorCode::InvalidRequest, "this is not an HTTP/1.1 request");
    match first {
        Some(HANDSHAKE) => error.with_hint("Use http://, because this server does not use TLS"),
        Some(_) | None => error,
    }
}

/// Says that there is no room, without looking at what is asked.
async fn reject_connection(mut stream: TcpStream, stop: CancellationToken) {
    let error = ErrorBody::new(ErrorCode::ServerBusy, "too many connections");
    close_gracefully(&mut stream, Some(&error.with_default_hint()), &stop).await;
}

/// Ends a connection, with a last answer where there is one to give. What the other end still sends is read for a moment:
/// a system that closes upon what nobody read may take the answer back.
async fn close_gracefully<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    wrong: Option<&ErrorBody>,
    stop: &CancellationToken,
) {
    let said = async {
        if let Some(error) = wrong {
            stream.write_all(&reply::raw_error_reply(error)).await?;
        }
        stream.shutdown().await?;
        let (mut waste, mut left) = (vec![0; 4096], MAX_DRAIN);
        while left > 0 {
            let read = tokio::select! {
                read = stream.read(&mut waste) => read?,
                // Nobody is waited for who only keeps a connection for later.
                () = stop.cancelled() => break,
            };
            if read == 0 {
                break;
            }
            left = left.saturating_sub(read);
        }
        Ok::<_, std::io::Error>(())
    };
    // Whoever is gone already, or never goes, needs no more.
    let _ = tokio::time::timeout(LINGER, said).await;
}
