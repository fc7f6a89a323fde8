//! Connections: keep-alive, pipelining, timeouts, size and number limits, malformed requests.

use std::time::Duration;

use http_server::Limits;
use serde_json::json;

use crate::client::{Client, Setup, bare, post, serve};

fn limits(connections: usize) -> Option<Limits> {
    Some(Limits {
        head: Duration::from_millis(300),
        body: Duration::from_millis(300),
        connections,
        ..Limits::default()
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn connection_serves_pipelined_requests() {
    let server = serve(Setup::default()).await;
    let mut client = Client::new(&server).await;
    for _ in 0..3 {
        assert_eq!(client.get("/healthz").await.status, 200);
    }
    let snapshot = post("/snapshot", &[], "{}");
    let health = bare("GET", "/healthz", "");
    client.send(format!("{health}{snapshot}{health}")).await;
    assert_eq!(client.answer().await.unwrap().json()["ok"], true);
    assert_eq!(client.answer().await.unwrap().json()["deviceId"], "sim");
    assert!(client.answer().await.unwrap().json()["version"].is_string());
    // An unexpected body is not read as the next request.
    let odd = "GET /healthz HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\n\r\nGET /";
    client.send(format!("{odd}{health}")).await;
    assert_eq!(client.answer().await.unwrap().status, 200);
    assert_eq!(client.answer().await.unwrap().status, 200);
    let close = bare("GET", "/healthz", "connection: close\r\n");
    let last = client.call(close).await;
    assert_eq!(last.header("connection"), Some("close"));
    assert!(client.head().await.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn chunked_body_is_limited() {
    let server = serve(Setup::default()).await;
    let mut client = Client::new(&server).await;
    client
        .send("POST /snapshot HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n")
        .await;
    client.send("2\r\n  \r\n0\r\n\r\n").await;
    assert_eq!(client.answer().await.unwrap().status, 200);
    let padded = |bytes: usize| format!("{{}}{}", " ".repeat(bytes - 2));
    let fits = client
        .call(post("/snapshot", &[], &padded(100 * 1024)))
        .await;
    assert_eq!(fits.status, 200);
    for size in [100 * 1024 + 1, 1_000_000] {
        let mut client = Client::new(&server).await;
        let refused = client.call(post("/snapshot", &[], &padded(size))).await;
        assert_eq!(refused.refusal(413), "PAYLOAD_TOO_LARGE", "{size}");
    }
    // A client that announces a large body and waits for `100 Continue` gets the error before it sends the body.
    let mut polite = Client::new(&server).await;
    polite
        .send("POST /snapshot HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9000000\r\nexpect: 100-continue\r\n\r\n")
        .await;
    let answer = polite.answer().await.unwrap();
    assert_eq!(answer.refusal(413), "PAYLOAD_TOO_LARGE");
    let chunks = format!("{:x}\r\n{}\r\n0\r\n\r\n", 200_000, "x".repeat(200_000));
    let mut client = Client::new(&server).await;
    client
        .send(format!("POST /snapshot HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n{chunks}"))
        .await;
    assert_eq!(
        client.answer().await.unwrap().refusal(413),
        "PAYLOAD_TOO_LARGE"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_clients_time_out_and_do_not_block_others() {
    let server = serve(Setup {
        limits: limits(8),
        ..Setup::default()
    })
    .await;
    let mut slow = Vec::new();
    for at in 0..8 {
        let mut client = Client::new(&server).await;
        // Some do not finish their head, some their body, some send nothing.
        match at % 3 {
            0 => client.send("GET /healthz HTTP/1.1\r\nhost: local").await,
            1 => {
                let request = post("/snapshot", &[], "{}").replace("length: 2", "length: 50");
                client.send(request).await;
            }
            _ => {}
        }
        slow.push(client);
    }
    // All connections are in use: a new one is refused at once.
    let mut late = Client::new(&server).await;
    let busy = late.answer().await.unwrap();
    assert_eq!(busy.refusal(503), "SERVER_BUSY");
    assert!(late.head().await.is_none());
    for (at, client) in slow.iter_mut().enumerate() {
        match client.head().await {
            Some(answer) => assert_eq!(answer.status, 408, "{at}"),
            None => assert_eq!(at % 3, 2, "only silent clients get no response"),
        }
    }
    drop(slow);
    let answers = async {
        loop {
            let mut client = Client::new(&server).await;
            client.send(bare("GET", "/healthz", "")).await;
            if client.answer().await.is_some_and(|it| it.status == 200) {
                break;
            }
        }
    };
    testkit::within("the server answers again", answers).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_request_gets_error_and_closes_connection() {
    let server = serve(Setup::default()).await;
    let snapshot =
        "POST /snapshot HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    let get = |path: &str, head: &str| bare("GET", path, head);
    let invalid = [
        "GARBAGE\r\n\r\n".to_owned(),
        "\x16\x03\x01\x02\x00\x01\x00\x01\r\n\r\n".to_owned(),
        "GET\r\n\r\n".to_owned(),
        "GET /healthz HTTP/9.9\r\nhost: localhost\r\n\r\n".to_owned(),
        get("/hea lthz", ""),
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(),
        format!("{snapshot}content-length: x\r\n\r\n"),
        format!("{snapshot}content-length: -1\r\n\r\n"),
        format!("{snapshot}transfer-encoding: gzip\r\n\r\n"),
        format!("{snapshot}content-length: 2\r\ncontent-length: 3\r\n\r\n{{}}"),
    ];
    let chunk = format!("{snapshot}transfer-encoding: chunked\r\n\r\nzz\r\n{{}}\r\n0\r\n\r\n");
    let long = get(&format!("/{}", "a".repeat(300_000)), "");
    let many = get("/", &"a: b\r\n".repeat(200));
    let invalid = invalid.map(|garbage| (garbage, 400, "INVALID_REQUEST"));
    for (garbage, status, code) in invalid.into_iter().chain([
        (chunk, 400, "INVALID_BODY"),
        (long, 431, "HEAD_TOO_LARGE"),
        (many, 431, "HEAD_TOO_LARGE"),
    ]) {
        let mut client = Client::new(&server).await;
        client.send(&garbage).await;
        let answer = client.answer().await;
        let answer = answer.unwrap_or_else(|| panic!("no answer to {garbage:.40}"));
        assert_eq!(answer.refusal(status), code, "{garbage:.40}");
        assert!(answer.json()["error"]["hint"].is_string(), "{garbage:.40}");
        assert!(client.head().await.is_none(), "{garbage:.40}");
    }
    let mut client = Client::new(&server).await;
    assert_eq!(client.get("/healthz").await.status, 200);
    // A malformed request does not affect the response to the one before.
    client
        .send("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n\x01\r\n\r\n")
        .await;
    assert_eq!(client.answer().await.unwrap().status, 200);
    assert_eq!(
        client.answer().await.unwrap().refusal(400),
        "INVALID_REQUEST"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn response_does_not_wait_for_next_request() {
    let server = serve(Setup::default()).await;
    let mut client = Client::new(&server).await;
    client
        .send("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\nGET /hea")
        .await;
    assert_eq!(client.answer().await.unwrap().status, 200);
    client
        .send("lthz HTTP/1.1\r\nhost: localhost\r\n\r\n")
        .await;
    assert_eq!(client.answer().await.unwrap().status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn endless_head_gets_error() {
    let server = serve(Setup {
        limits: limits(8),
        ..Setup::default()
    })
    .await;
    let mut client = Client::new(&server).await;
    client.send("GET /healthz HTTP/1.1\r\nhost: local").await;
    let answer = client.answer().await.unwrap();
    assert_eq!(answer.refusal(408), "REQUEST_TIMEOUT");
    assert!(client.head().await.is_none());
    // A client that sends nothing gets no answer.
    let mut silent = Client::new(&server).await;
    assert_eq!(silent.get("/healthz").await.status, 200);
    assert!(silent.answer().await.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn mounted_surface_gets_same_checks() {
    use http_body_util::BodyExt;
    let surface: http_server::MountedService = std::sync::Arc::new(|request| {
        Box::pin(async move {
            let path = request.uri().path().to_owned();
            let body = request.into_body().collect().await.unwrap().to_bytes();
            let said = format!("{path} {}", body.len());
            hyper::Response::new(http_body_util::Full::from(said).boxed_unsync())
        })
    });
    let server = serve(Setup {
        token: Some("open-sesame"),
        mount: Some(("/mcp", surface)),
        ..Setup::default()
    })
    .await;
    let mut client = Client::new(&server).await;
    let bearer = ("authorization", "Bearer open-sesame");
    for path in ["/mcp", "/mcp/x"] {
        let answer = client.call(post(path, &[bearer], "{\"a\":1}")).await;
        assert_eq!(answer.body, format!("{path} 7").as_bytes());
    }
    assert_eq!(
        client.call(post("/mcp", &[], "{}")).await.refusal(401),
        "UNAUTHORIZED"
    );
    let other = client
        .call(post("/mcpx", &[bearer], &json!({}).to_string()))
        .await;
    assert_eq!(other.refusal(404), "ROUTE_NOT_FOUND");
    let foreign = post("/mcp", &[bearer, ("origin", "http://evil.example")], "{}");
    assert_eq!(
        client.call(foreign).await.refusal(403),
        "ORIGIN_NOT_ALLOWED"
    );
}
