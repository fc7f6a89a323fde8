//! The inspector's files: public, with their media types, not embeddable in frames.

use crate::client::{Client, Setup, post, serve};

#[tokio::test(flavor = "multi_thread")]
async fn page_needs_no_token_but_its_requests_do() {
    let server = serve(Setup {
        token: Some("open-sesame"),
        ..Setup::default()
    })
    .await;
    let mut client = Client::new(&server).await;
    for (path, kind, part) in [
        ("/", "text/html; charset=utf-8", "<!doctype html>"),
        ("/page/style.css", "text/css; charset=utf-8", "color-scheme"),
        ("/page/main.js", "text/javascript; charset=utf-8", "import "),
    ] {
        let file = client.get(path).await;
        assert_eq!(
            (file.status, file.header("content-type")),
            (200, Some(kind)),
            "{path}"
        );
        assert!(String::from_utf8(file.body.clone()).unwrap().contains(part));
        let policy = file.header("content-security-policy").unwrap();
        assert!(
            policy.starts_with("default-src 'self'; img-src 'self' data: blob:;")
                && policy.contains("frame-ancestors 'none'"),
            "{policy}"
        );
        assert_eq!(file.header("x-content-type-options"), Some("nosniff"));
    }
    assert_eq!(client.get("/devices").await.refusal(401), "UNAUTHORIZED");
    let other = client.call(post("/", &[], "{}")).await;
    assert_eq!(other.refusal(405), "METHOD_NOT_ALLOWED");
    for path in [
        "/page/",
        "/page/../src/lib.rs",
        "/page/%2e%2e/main.js",
        "/index.html",
    ] {
        assert_eq!(client.get(path).await.status, 401, "{path}");
    }
    // Another host name is refused.
    let foreign = "GET / HTTP/1.1\r\nhost: evil.example\r\n\r\n";
    assert_eq!(client.call(foreign).await.refusal(421), "HOST_NOT_ALLOWED");
}

#[tokio::test(flavor = "multi_thread")]
async fn page_is_compressed_and_cached() {
    let server = serve(Setup::default()).await;
    let mut client = Client::new(&server).await;
    let with =
        |headers: &str| format!("GET /page/main.js HTTP/1.1\r\nhost: localhost\r\n{headers}\r\n");
    let plain = client.call(with("")).await;
    assert_eq!(
        (plain.status, plain.header("content-encoding")),
        (200, None)
    );
    let packed = client.call(with("accept-encoding: br, gzip\r\n")).await;
    assert_eq!(
        (
            packed.status,
            packed.header("content-encoding"),
            packed.header("vary")
        ),
        (200, Some("gzip"), Some("accept-encoding"))
    );
    assert!(packed.body.len() * 2 < plain.body.len());
    assert_eq!(packed.header("content-type"), plain.header("content-type"));
    let tag = packed.header("etag").unwrap();
    assert_eq!(plain.header("etag"), Some(tag));
    let again = client
        .call(with(&format!("if-none-match: {tag}\r\n")))
        .await;
    assert_eq!((again.status, again.body.len()), (304, 0));
    assert!(again.header("content-security-policy").is_some());
    let other = client.call(with("if-none-match: \"0-0\"\r\n")).await;
    assert_eq!(other.status, 200);
}
