//! Connections: taken in up to a number, served one by one, and ended in peace.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use contract::{ErrorBody, ErrorCode, Refused};
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::App;
use crate::patient::Patient;
use crate::routes;

/// How long nothing is accepted after the system had no room for a connection.
const BREATH: Duration = Duration::from_millis(50);
/// How long the last answers may take to arrive once everything has ended.
const FAREWELL: Duration = Duration::from_secs(5);

/// Serves until it is told to stop, and then until what runs has ended or `now`.
pub(crate) async fn serve(
    listener: TcpListener,
    app: Arc<App>,
    stop: CancellationToken,
    now: CancellationToken,
) {
    let room = Arc::new(Semaphore::new(app.limits.connections));
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
                                one(stream, app, stop).await;
                                drop(place);
                            });
                        }
                        Err(_) => {
                            connections.spawn(no_room(stream));
                        }
                    }
                }
                // The other end was gone again, or the system has no room: neither ends the server.
                Err(_) => tokio::time::sleep(BREATH).await,
            },
        }
    }
    // Whoever comes now is told at once that nobody listens.
    drop(listener);
    tokio::select! {
        biased;
        () = now.cancelled() => app.hub.cancel_all(),
        () = app.hub.drain() => {}
    }
    app.over.cancel();
    let left = async { while connections.join_next().await.is_some() {} };
    tokio::select! {
        biased;
        () = left => {}
        () = now.cancelled() => {}
        () = tokio::time::sleep(FAREWELL) => {}
    }
}

/// Serves one connection to its end.
async fn one(stream: TcpStream, app: Arc<App>, stop: CancellationToken) {
    let limits = app.limits;
    let io = TokioIo::new(Patient::new(stream, limits.answer));
    let answer = service_fn(move |request: Request<Incoming>| {
        let app = Arc::clone(&app);
        async move { Ok::<_, Infallible>(routes::answer(&app, request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_headers(64)
        .max_buf_size(64 * 1024)
        .pipeline_flush(true)
        .serve_connection(io, answer);
    tokio::pin!(connection);
    // What is wrong with a connection concerns its other end only, which is told or gone.
    tokio::select! {
        _ = connection.as_mut() => return,
        () = stop.cancelled() => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}

/// Says that there is no room, without reading what is asked.
async fn no_room(mut stream: TcpStream) {
    let error = ErrorBody::new(ErrorCode::ServerBusy, "there are too many connections");
    let error = error.with_default_hint();
    let body = serde_json::to_string(&Refused::from(&error)).unwrap_or_default();
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\ncontent-length: {}\r\nretry-after: 1\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let said = async {
        // Whoever is gone already needs no answer.
        let _ = stream.write_all(answer.as_bytes()).await;
        let _ = stream.shutdown().await;
    };
    let _ = tokio::time::timeout(FAREWELL, said).await;
}
