//! A small web server on the loopback interface, for test pages.
//!
//! It has its own threads, so that it answers even in paused time. Browsers resolve every name under
//! `localhost` to this machine, so one server has any number of hosts: pages of [`Web::url`] and of
//! [`Web::other`] belong to different sites.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The host of [`Web::url`].
pub const HOST: &str = "one.localhost";
/// The host of [`Web::other`]; another site for a browser.
pub const OTHER_HOST: &str = "two.localhost";

const TIMEOUT: Duration = Duration::from_secs(20);

/// The response to a request for a path.
#[derive(Clone, Debug, Default)]
pub enum Reply {
    Page(String),
    /// Any response: status (`404 Not Found`), headers, body.
    Full(String, Vec<(String, String)>, Vec<u8>),
    /// `302 Found` to this URL.
    Redirect(String),
    /// `204 No Content`, on which a browser stays where it is.
    #[default]
    Nothing,
    Download(String, Vec<u8>),
    /// Closes the connection without a response.
    HangUp,
    /// The same response, but only after [`Web::release`] for the path.
    Held(Box<Reply>),
    /// The headers and the first part immediately, the rest after [`Web::release`] for the path.
    Halves(String, String),
    /// The headers of a page that announce a body, then closes the connection.
    Cut,
    /// A response computed from each request, as JSON.
    Made(ResponseFn),
}

/// Computes responses, on a thread of the server.
#[derive(Clone)]
pub struct ResponseFn(Arc<dyn Fn(&Request) -> String + Send + Sync>);

impl ResponseFn {
    /// Responds with the result of `make`.
    pub fn new(compute: impl Fn(&Request) -> String + Send + Sync + 'static) -> Self {
        Self(Arc::new(compute))
    }
}

impl std::fmt::Debug for ResponseFn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ResponseFn")
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// `GET`, `POST` and so on.
    pub method: String,
    /// The requested host, without the port.
    pub host: String,
    pub path: String,
    /// The value of the `Cookie` header.
    pub cookies: String,
    pub body: String,
}

#[derive(Default)]
struct State {
    replies: BTreeMap<String, Reply>,
    released: BTreeMap<String, u32>,
    requests: Vec<Request>,
    stopped: bool,
}

#[derive(Default)]
struct SharedState {
    state: Mutex<State>,
    changed: Condvar,
}

impl SharedState {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A web server that stops when this is dropped.
pub struct Web {
    shared: Arc<SharedState>,
    address: SocketAddr,
}

impl Web {
    /// A server on a free port, without pages.
    #[expect(clippy::expect_used, reason = "tests need it")]
    pub fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port for pages");
        let address = listener.local_addr().expect("the port of the pages");
        let shared = Arc::new(SharedState::default());
        let server = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if server.lock().stopped {
                    return;
                }
                let shared = Arc::clone(&server);
                // A browser may disconnect during a response.
                std::thread::spawn(move || respond(stream, &shared).ok());
            }
        });
        Self { shared, address }
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// The URL of a path, which begins with a slash, on [`HOST`].
    pub fn url(&self, path: &str) -> String {
        format!("http://{HOST}:{}{path}", self.port())
    }

    /// The URL of the same path on another site.
    pub fn other(&self, path: &str) -> String {
        format!("http://{OTHER_HOST}:{}{path}", self.port())
    }

    /// Serves this page at `path`; `{{own}}` and `{{other}}` in its text are replaced by the two sites.
    pub fn page(&self, path: &str, html: &str) {
        let html = html
            .replace("{{own}}", &self.url(""))
            .replace("{{other}}", &self.other(""));
        self.reply(path, Reply::Page(html));
    }

    /// Responds like this to requests for `path` with any query.
    pub fn reply(&self, path: &str, reply: Reply) {
        self.shared.lock().replies.insert(path.to_owned(), reply);
    }

    /// Releases one held request at `path`, now or in the future.
    pub fn release(&self, path: &str) {
        *self
            .shared
            .lock()
            .released
            .entry(path.to_owned())
            .or_default() += 1;
        self.shared.changed.notify_all();
    }

    /// Every request so far, oldest first.
    pub fn requests(&self) -> Vec<Request> {
        self.shared.lock().requests.clone()
    }

    /// The bodies posted to `path`, oldest first.
    pub fn posted(&self, path: &str) -> Vec<String> {
        let state = self.shared.lock();
        let posts = state.requests.iter();
        posts
            .filter(|request| request.method == "POST" && request.path == path)
            .map(|request| request.body.clone())
            .collect()
    }

    /// Clears the list of requests.
    pub fn forget(&self) {
        self.shared.lock().requests.clear();
    }

    /// Waits until `enough` holds for the requests, without blocking the runtime.
    pub async fn until(&self, condition: impl Fn(&[Request]) -> bool + Send + 'static) {
        let shared = Arc::clone(&self.shared);
        let waiter = std::thread::spawn(move || {
            let end = Instant::now() + TIMEOUT;
            let mut state = shared.lock();
            while !condition(&state.requests) {
                let left = end.saturating_duration_since(Instant::now());
                assert!(!left.is_zero(), "timeout; requests: {:#?}", state.requests);
                let waited = shared.changed.wait_timeout(state, left);
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        });
        while !waiter.is_finished() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        if let Err(panic) = waiter.join() {
            std::panic::resume_unwind(panic);
        }
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        self.shared.lock().stopped = true;
        self.shared.changed.notify_all();
        // Wakes up the accepting thread to end it.
        drop(TcpStream::connect(self.address));
    }
}

fn respond(stream: TcpStream, shared: &SharedState) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let Some(request) = read(&mut reader)? else {
        return Ok(());
    };
    let path = request.path.split(['?', '#']).next().unwrap_or_default();
    let path = path.to_owned();
    let posted = request.method == "POST";
    let reply = {
        let mut state = shared.lock();
        state.requests.push(request.clone());
        state.replies.get(&path).cloned()
    };
    shared.changed.notify_all();
    let reply = match reply {
        Some(Reply::Made(ResponseFn(compute))) => {
            let json = ("Content-Type".to_owned(), "application/json".to_owned());
            let body = compute(&request).into_bytes();
            Some(Reply::Full("200 OK".to_owned(), vec![json], body))
        }
        other => other,
    };
    let not_found = || {
        let text = b"<!doctype html><title>Not found</title><h1>Not found</h1>".to_vec();
        Reply::Full("404 Not Found".to_owned(), Vec::new(), text)
    };
    let reply = reply.unwrap_or_else(|| if posted { Reply::Nothing } else { not_found() });
    write(stream, &reply, &path, shared)
}

/// A request; `None` if the browser only opened the connection.
fn read(reader: &mut BufReader<TcpStream>) -> std::io::Result<Option<Request>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (
        words.next().unwrap_or_default(),
        words.next().unwrap_or_default(),
    );
    let (mut host, mut cookies, mut length) = (String::new(), String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        let Some((name, value)) = line.split_once(':') else {
            continue;
        };
        if name.eq_ignore_ascii_case("host") {
            let name = value.trim().rsplit_once(':');
            host = name.map_or(value.trim(), |(host, _)| host).to_owned();
        } else if name.eq_ignore_ascii_case("cookie") {
            value.trim().clone_into(&mut cookies);
        } else if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(Some(Request {
        method,
        host,
        path,
        cookies,
        body: String::from_utf8_lossy(&body).into_owned(),
    }))
}

/// Waits until the test releases the request; false if the server stops first.
fn released(path: &str, shared: &SharedState) -> bool {
    let mut state = shared.lock();
    loop {
        if state.stopped {
            return false;
        }
        if let Some(count) = state.released.get_mut(path).filter(|count| **count > 0) {
            *count -= 1;
            return true;
        }
        let waited = shared.changed.wait(state);
        state = waited.unwrap_or_else(PoisonError::into_inner);
    }
}

/// Writes a response and closes the connection.
fn write(
    mut to: TcpStream,
    reply: &Reply,
    path: &str,
    shared: &SharedState,
) -> std::io::Result<()> {
    const HTML: &str = "Content-Type: text/html; charset=utf-8\r\n";
    let mut send_head = |length: usize, status: &str, headers: &str, body: &[u8]| {
        let head = format!(
            "HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\nCache-Control: no-store\r\n\
             Access-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n"
        );
        to.write_all(head.as_bytes())?;
        to.write_all(body)
    };
    let mut send =
        |status: &str, headers: &str, body: &[u8]| send_head(body.len(), status, headers, body);
    match reply {
        Reply::Page(html) => send("200 OK", HTML, html.as_bytes()),
        Reply::Full(status, headers, body) => {
            let has_content_type = headers
                .iter()
                .any(|(name, _)| name.eq_ignore_ascii_case("content-type"));
            let mut lines = if has_content_type {
                String::new()
            } else {
                HTML.to_owned()
            };
            for (name, value) in headers {
                lines.push_str(&format!("{name}: {value}\r\n"));
            }
            send(status, &lines, body)
        }
        Reply::Redirect(location) => send("302 Found", &format!("Location: {location}\r\n"), b""),
        Reply::Nothing => send("204 No Content", "", b""),
        Reply::Download(name, bytes) => {
            let kind = "Content-Type: application/octet-stream\r\n";
            let save = format!("{kind}Content-Disposition: attachment; filename=\"{name}\"\r\n");
            send("200 OK", &save, bytes)
        }
        Reply::Cut => send_head(1, "200 OK", HTML, b""),
        // Handled above.
        Reply::Made(_) | Reply::HangUp => Ok(()),
        Reply::Held(reply) => {
            if released(path, shared) {
                write(to, reply, path, shared)
            } else {
                Ok(())
            }
        }
        Reply::Halves(first, rest) => {
            let head = format!("HTTP/1.1 200 OK\r\n{HTML}Connection: close\r\n\r\n{first}");
            to.write_all(head.as_bytes())?;
            to.flush()?;
            if released(path, shared) {
                to.write_all(rest.as_bytes())?;
            }
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(web: &Web, path: &str) -> String {
        let mut stream = TcpStream::connect(web.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: a.localhost:1\r\n\r\n").unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        response
    }

    #[tokio::test]
    async fn pages_are_served_and_requests_recorded() {
        let web = Web::start();
        web.page("/a", "<p>A {{other}}/b");
        let response = get(&web, "/a?x=1");
        assert!(response.starts_with("HTTP/1.1 200 OK\r\n"), "{response}");
        assert!(
            response.ends_with(&format!("<p>A {}", web.other("/b"))),
            "{response}"
        );
        assert!(get(&web, "/none").starts_with("HTTP/1.1 404"));
        web.reply("/gone", Reply::HangUp);
        assert_eq!(get(&web, "/gone"), "");
        web.until(|requests| requests.len() == 3).await;
        let first = &web.requests()[0];
        assert_eq!(
            (&*first.method, &*first.host, &*first.path),
            ("GET", "a.localhost", "/a?x=1")
        );
    }

    #[tokio::test]
    async fn held_response_waits_for_release() {
        let web = Web::start();
        web.reply(
            "/slow",
            Reply::Held(Box::new(Reply::Page("late".to_owned()))),
        );
        let mut stream = TcpStream::connect(web.address).unwrap();
        write!(stream, "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
        web.until(|requests| requests.len() == 1).await;
        stream.set_nonblocking(true).unwrap();
        assert!(stream.read(&mut [0; 1]).is_err());
        stream.set_nonblocking(false).unwrap();
        web.release("/slow");
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        assert!(response.ends_with("late"), "{response}");
    }
}
