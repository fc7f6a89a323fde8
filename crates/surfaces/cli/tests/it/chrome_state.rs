//! `chrome state`: a login that was saved from one browser works in another one.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Value, json};
use testkit::web::{Reply, ResponseFn, Web};

use crate::chrome::User;

/// A shop that knows who is logged in by a cookie, and by a token in the local storage.
fn shop() -> Web {
    let web = Web::start();
    let cookie = "session=cookie-secret; HttpOnly; Max-Age=86400";
    let login =
        "<script>localStorage.setItem('token', 'token-secret'); location.href = '/'</script>";
    web.reply(
        "/login",
        Reply::Full(
            "200 OK".to_owned(),
            vec![
                ("Set-Cookie".to_owned(), cookie.to_owned()),
                ("Content-Type".to_owned(), "text/html".to_owned()),
            ],
            login.as_bytes().to_vec(),
        ),
    );
    let name = |request: &testkit::web::Request| {
        let known = request.cookies.contains("session=cookie-secret");
        json!(if known { "Ada" } else { "nobody" }).to_string()
    };
    web.reply("/name", Reply::Made(ResponseFn::new(name)));
    web.page(
        "/",
        "<p id=cookie><p id=token><script>
        fetch('/name').then((reply) => reply.json()).then((name) => { cookie.textContent = `Cookie of ${name}` });
        token.textContent = `Token ${localStorage.getItem('token') ? 'present' : 'missing'}`;
        </script>",
    );
    web
}

fn open(user: &User, url: &str, text: &str) {
    user.run(&["open", url, "--device", "chrome"]).success();
    user.run(&["wait", "--text-contains", text, "--device", "chrome"])
        .success();
}

fn save(user: &User, file: &Path, flags: &[&str]) -> Value {
    let file = file.to_str().unwrap();
    user.run(&[&["chrome", "state", "save", file], flags].concat())
        .success()
}

#[test]
fn saved_login_works_in_another_browser() {
    let (web, own) = (shop(), User::new("state-own"));
    open(&own, &web.url("/login"), "Cookie of Ada");
    let file = own.file("state.json");
    let saved = save(&own, &file, &[]);
    let site = web.url("");
    let origins = json!([{ "origin": site, "items": 1 }]);
    assert_eq!(saved["saved"]["cookies"], 1, "{saved}");
    assert_eq!(saved["saved"]["origins"], origins, "{saved}");
    assert_eq!(saved["saved"]["refused"], json!([]), "{saved}");
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let other = User::new("state-other");
    open(&other, &web.url("/"), "Cookie of nobody");
    other
        .run("wait --text-contains 'Token missing' --device chrome")
        .success();
    web.forget();
    let load = ["chrome", "state", "load", file.to_str().unwrap()];
    let loaded = other.run(&load);
    assert!(!loaded.stderr.contains("secret"), "{}", loaded.stderr);
    let loaded = loaded.success();
    assert_eq!(loaded["loaded"]["cookies"], 1, "{loaded}");
    assert_eq!(loaded["loaded"]["origins"], origins, "{loaded}");
    assert!(!loaded.to_string().contains("secret"), "{loaded}");
    let requests = web.requests();
    assert!(
        requests
            .iter()
            .all(|request| request.path == "/favicon.ico"),
        "{requests:?}"
    );
    open(&other, &web.url("/"), "Cookie of Ada");
    other
        .run("wait --text-contains 'Token present' --device chrome")
        .success();
    // The tab for the local storage is closed.
    assert_eq!(other.browsers()[0]["tabs"].as_array().unwrap().len(), 1);
}

#[test]
fn one_origin_is_saved_and_an_existing_file_kept() {
    let (web, user) = (shop(), User::new("state-origin"));
    open(&user, &web.other("/login"), "Cookie of Ada");
    open(&user, &web.url("/login"), "Cookie of Ada");
    let file = user.file("state.json");
    let site = web.other("");
    let saved = save(&user, &file, &["--origin", &site]);
    assert_eq!(saved["saved"]["cookies"], 1, "{saved}");
    assert_eq!(saved["saved"]["origins"][0]["origin"], site, "{saved}");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(!text.contains("one.localhost"), "{text}");
    let path = file.to_str().unwrap();
    user.run(&["chrome", "state", "save", path])
        .failure("BROWSER_STATE_NOT_WRITTEN");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    let all = save(&user, &file, &["--force"]);
    assert_eq!(all["saved"]["cookies"], 2, "{all}");
    let loaded = user.run(&["chrome", "state", "load", path, "--origin", &site]);
    assert_eq!(loaded.success()["loaded"]["cookies"], 1);
}

#[test]
fn rejected_entries_are_listed() {
    let user = User::new("state-refused");
    let file = user.file("state.json");
    let cookie = |name: &str, expires: f64, path: &str| {
        json!({
            "name": name, "value": "cookie-secret", "domain": "shop.example", "path": path,
            "expires": expires, "httpOnly": false, "secure": true,
        })
    };
    let state = json!({
        "format": "clawperator-browser-state", "version": 1,
        "cookies": [
            cookie("good", 4e9, "/"), cookie("old", 1.0, "/"), cookie("__Host-bad", 4e9, "/in"),
        ],
        "origins": [{ "origin": "https://shop.example/path", "localStorage": [] }],
    });
    std::fs::write(&file, state.to_string()).unwrap();
    let loaded = user.run(&["chrome", "state", "load", file.to_str().unwrap()]);
    assert!(!loaded.stdout.contains("secret") && !loaded.stderr.contains("secret"));
    let loaded = loaded.success();
    assert_eq!(loaded["loaded"]["cookies"], 1, "{loaded}");
    let refused = loaded["loaded"]["refused"].as_array().unwrap();
    let refused: Vec<_> = refused
        .iter()
        .map(|each| each["cookie"].as_str().or(each["of"].as_str()).unwrap())
        .collect();
    assert_eq!(refused, ["__Host-bad", "old", "https://shop.example/path"]);
}

#[test]
fn wrong_files_and_arguments_are_refused() {
    let user = User::new("state-wrong");
    let file = user.file("state.json");
    let path = file.to_str().unwrap();
    let load = ["chrome", "state", "load", path];
    user.run(&load).failure("BROWSER_STATE_INVALID");
    std::fs::write(&file, "{\"cookies\":[{\"value\":\"secret\"}]}").unwrap();
    let invalid = user.run(&load);
    assert!(!invalid.stdout.contains("secret"), "{}", invalid.stdout);
    invalid.failure("BROWSER_STATE_INVALID");
    std::fs::write(
        &file,
        "{\"format\":\"clawperator-browser-state\",\"version\":9}",
    )
    .unwrap();
    user.run(&load).failure("BROWSER_STATE_VERSION_UNSUPPORTED");
    let absent = user.file("absent.json");
    user.run(&["chrome", "state", "save", absent.to_str().unwrap()])
        .failure("CHROME_UNREACHABLE");
    assert!(user.browsers().is_empty(), "neither starts a browser");
}
