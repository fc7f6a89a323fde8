//! Authentication, allowed origins and hosts.

use contract::ErrorCode;
use http_server::{ServeOptions, Server, Token};
use service::Options;
use service::device_pool::{DevicePool, PoolOptions};

use crate::client::{Client, Setup, no_adb, post, serve, sleeping};

#[tokio::test(flavor = "multi_thread")]
async fn page_of_other_site_cannot_drive_or_watch() {
    let server = serve(Setup::default()).await;
    let port = server.address.port();
    let evil = [
        ("origin: http://evil.example", 403, "ORIGIN_NOT_ALLOWED"),
        ("origin: null", 403, "ORIGIN_NOT_ALLOWED"),
        ("sec-fetch-site: cross-site", 403, "ORIGIN_NOT_ALLOWED"),
        ("sec-fetch-site: same-site", 403, "ORIGIN_NOT_ALLOWED"),
    ];
    let mut client = Client::new(&server).await;
    for (header, status, code) in evil {
        for path in [
            "/devices",
            "/events",
            "/executions/x",
            "/openapi.json",
            "/healthz",
            "/none",
        ] {
            let request =
                format!("GET {path} HTTP/1.1\r\nhost: localhost:{port}\r\n{header}\r\n\r\n");
            let answer = client.call(request).await;
            assert_eq!(answer.refusal(status), code, "{path} {header}");
        }
        let (key, value) = header.split_once(": ").unwrap();
        let body = sleeping("evil", 1).to_string();
        let answer = client.call(post("/execute", &[(key, value)], &body)).await;
        assert_eq!(answer.refusal(status), code, "{header}");
        // The answer to a preflight does not permit the request.
        let preflight = format!(
            "OPTIONS /execute HTTP/1.1\r\nhost: localhost:{port}\r\n{header}\r\naccess-control-request-method: POST\r\n\r\n"
        );
        let answer = client.call(preflight).await;
        assert_eq!(answer.refusal(status), code);
        let permission = answer
            .headers
            .iter()
            .find(|(name, _)| name.starts_with("access-control"));
        assert_eq!(permission, None);
    }
    assert_eq!(
        client.get("/executions/evil").await.refusal(404),
        "EXECUTION_NOT_FOUND"
    );
    // The server's own pages are allowed.
    for own in [format!("localhost:{port}"), format!("127.0.0.1:{port}")] {
        let request = format!(
            "GET /healthz HTTP/1.1\r\nhost: {own}\r\norigin: http://{own}\r\nsec-fetch-site: same-origin\r\n\r\n"
        );
        assert_eq!(client.call(request).await.status, 200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn allowed_page_can_send_and_read() {
    let server = serve(Setup {
        token: Some("open-sesame"),
        origins: &["http://localhost:5173"],
        ..Setup::default()
    })
    .await;
    let mut client = Client::new(&server).await;
    let own = "origin: http://localhost:5173\r\nsec-fetch-site: same-site\r\n";
    // The browser sends a preflight without the token.
    let preflight = format!(
        "OPTIONS /execute HTTP/1.1\r\nhost: localhost\r\n{own}access-control-request-method: POST\r\n\
         access-control-request-headers: authorization, content-type\r\naccess-control-request-private-network: true\r\n\r\n"
    );
    let answer = client.call(&preflight).await;
    assert_eq!(answer.status, 204);
    let allowed = |name: &str| answer.header(&format!("access-control-allow-{name}"));
    assert_eq!(allowed("origin"), Some("http://localhost:5173"));
    assert_eq!(allowed("methods"), Some("GET, POST, DELETE"));
    assert_eq!(allowed("private-network"), Some("true"));
    assert_eq!(allowed("credentials"), None);
    let headers = allowed("headers").unwrap();
    assert!(headers.contains("authorization") && headers.contains("content-type"));
    // The page can read responses, also errors.
    let get = format!("GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n{own}");
    let answer = client.call(format!("{get}\r\n")).await;
    assert_eq!(answer.refusal(401), "UNAUTHORIZED");
    assert_eq!(
        answer.header("access-control-allow-origin"),
        Some("http://localhost:5173")
    );
    assert_eq!(answer.header("vary"), Some("origin"));
    let answer = client
        .call(format!("{get}authorization: Bearer open-sesame\r\n\r\n"))
        .await;
    assert_eq!(answer.status, 200);
    // Other origins are refused, and the host is still checked.
    let other = preflight.replace("5173", "5174");
    let answer = client.call(other).await;
    assert_eq!(answer.refusal(403), "ORIGIN_NOT_ALLOWED");
    assert_eq!(answer.header("access-control-allow-origin"), None);
    let rebound = preflight.replace("host: localhost", "host: evil.example");
    assert_eq!(client.call(rebound).await.refusal(421), "HOST_NOT_ALLOWED");
}

#[tokio::test(flavor = "multi_thread")]
async fn rebound_host_name_is_refused() {
    let server = serve(Setup::default()).await;
    let mut client = Client::new(&server).await;
    for host in ["evil.example", "localhost.evil.example:3000", "10.0.0.1"] {
        for request in [
            format!("GET /devices HTTP/1.1\r\nhost: {host}\r\n\r\n"),
            format!("GET /events HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\n\r\n"),
            format!("GET http://{host}/devices HTTP/1.1\r\nhost: localhost\r\n\r\n"),
        ] {
            assert_eq!(
                client.call(&request).await.refusal(421),
                "HOST_NOT_ALLOWED",
                "{request}"
            );
        }
        let body = sleeping("rebound", 1).to_string();
        let request =
            post("/execute", &[], &body).replace("host: localhost", &format!("host: {host}"));
        assert_eq!(client.call(request).await.refusal(421), "HOST_NOT_ALLOWED");
    }
    let mut old = Client::new(&server).await;
    let nameless = old.call("GET /devices HTTP/1.0\r\n\r\n").await;
    assert_eq!(nameless.refusal(421), "HOST_NOT_ALLOWED");
}

#[tokio::test(flavor = "multi_thread")]
async fn token_protects_all_but_health() {
    let server = serve(Setup {
        token: Some("open-sesame"),
        ..Setup::default()
    })
    .await;
    let mut client = Client::new(&server).await;
    for path in ["/devices", "/events", "/openapi.json", "/none"] {
        let answer = client.get(path).await;
        assert_eq!(answer.refusal(401), "UNAUTHORIZED", "{path}");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    }
    assert_eq!(client.get("/healthz").await.status, 200);
    for (token, status) in [("open-sesame", 200), ("open-sesamE", 401), ("", 401)] {
        let request = format!(
            "GET /openapi.json HTTP/1.1\r\nhost: 192.168.1.5\r\nauthorization: Bearer {token}\r\n\r\n"
        );
        assert_eq!(client.call(request).await.status, status, "{token}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn public_address_requires_token_and_port_is_exclusive() {
    let pool = || {
        let service = Options {
            adb: no_adb(),
            ..Options::default()
        };
        DevicePool::new(PoolOptions {
            service,
            ..PoolOptions::default()
        })
    };
    let options = |host: &str, port, token: Option<&str>| ServeOptions {
        host: host.to_owned(),
        port,
        token: token.and_then(Token::new),
        ..ServeOptions::default()
    };
    let bound = Server::bind(pool(), options("0.0.0.0", 0, None)).await;
    let refused = bound.err().unwrap();
    assert_eq!(refused.code, ErrorCode::Usage);
    assert!(refused.hint.unwrap().contains("CLAWPERATOR_TOKEN"));
    let bound = Server::bind(pool(), options("0.0.0.0", 0, Some("open-sesame"))).await;
    assert!(bound.is_ok());
    let port = testkit::free_port();
    let first = Server::bind(pool(), options("localhost", port, None))
        .await
        .unwrap();
    assert_eq!(first.url(), format!("http://127.0.0.1:{port}"));
    let second = Server::bind(pool(), options("127.0.0.1", port, None)).await;
    assert_eq!(second.err().unwrap().code, ErrorCode::ServeFailed);
    let nowhere = Server::bind(pool(), options("no such host", 0, None)).await;
    assert_eq!(nowhere.err().unwrap().code, ErrorCode::ServeFailed);
    let elsewhere = Server::bind(pool(), options("192.0.2.1", 0, Some("open-sesame"))).await;
    assert_eq!(elsewhere.err().unwrap().code, ErrorCode::ServeFailed);
}
