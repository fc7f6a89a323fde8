//! The WebSocket lookup over HTTP.

use cdp::{Endpoint, Version, get_json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// Answers one request with `bytes`, in two pieces, and returns the request.
async fn serve(bytes: String) -> (Endpoint, tokio::task::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let served = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = Vec::new();
        while !request.ends_with(b"\r\n\r\n") {
            assert!(stream.read_buf(&mut request).await.unwrap() > 0);
        }
        let (first, second) = bytes.split_at(bytes.len() / 2);
        stream.write_all(first.as_bytes()).await.unwrap();
        stream.flush().await.unwrap();
        tokio::task::yield_now().await;
        stream.write_all(second.as_bytes()).await.unwrap();
        String::from_utf8(request).unwrap()
    });
    (Endpoint::parse(&url).unwrap(), served)
}

fn ok(body: &str) -> String {
    format!(
        "HTTP/1.1 200 OK\r\ncontent-LENGTH: {}\r\n\r\n{body}",
        body.len()
    )
}

const VERSION: &str = r#"{"Browser": "Chrome/1.2.3.4",
  "webSocketDebuggerUrl": "ws://127.0.0.1:1/devtools/browser/abc"}"#;

#[tokio::test]
async fn version_and_websocket_are_looked_up() {
    let (endpoint, served) = serve(ok(VERSION)).await;
    let version: Version = get_json(&endpoint, "/json/version").await.unwrap();
    assert_eq!(version.browser, "Chrome/1.2.3.4");
    let request = served.await.unwrap();
    let host = endpoint.url().trim_start_matches("http://");
    assert!(
        request.starts_with("GET /json/version HTTP/1.1\r\n"),
        "{request}"
    );
    assert!(request.contains(&format!("Host: {host}\r\n")), "{request}");
}

#[tokio::test]
async fn given_port_is_kept_behind_a_tunnel() {
    let (endpoint, served) = serve(ok(VERSION)).await;
    let authority = endpoint.url().trim_start_matches("http://").to_owned();
    assert_eq!(
        endpoint.connection_url().await.unwrap(),
        format!("ws://{authority}/devtools/browser/abc")
    );
    served.await.unwrap();
}

#[tokio::test]
async fn other_http_server_is_reported_with_its_answer() {
    for (answer, words) in [
        ("HTTP/1.1 404 Not Found\r\n\r\n".to_owned(), "404 Not Found"),
        ("SSH-2.0-OpenSSH\r\n\r\n".to_owned(), "SSH-2.0-OpenSSH"),
        (ok("{\"Browser\":"), "EOF"),
        (ok("{}"), "missing field"),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{".to_owned(),
            "within its answer",
        ),
        ("".to_owned(), "within its answer"),
    ] {
        let (endpoint, served) = serve(answer.clone()).await;
        let error = get_json::<Version>(&endpoint, "/json/version")
            .await
            .unwrap_err();
        served.await.unwrap();
        let error = error.to_string();
        assert!(error.contains(words), "{answer:?}: {error}");
    }
}
