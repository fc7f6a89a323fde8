//! Browsers that start, and those that fail to.

use std::net::TcpListener;

use cdp::Endpoint;
use driver_chrome::browser::{Browser, LaunchError};
use testkit::browser_profile;

use super::test_browser::{TestBrowser, launch};

#[tokio::test]
async fn browser_starts_with_new_profile_and_reports_endpoint() {
    let chrome = TestBrowser::start().await;
    let product = chrome.browser.product().await.unwrap();
    assert!(product.contains("Chrome/"), "{product}");
    assert!(chrome.endpoint().url().starts_with("ws://127.0.0.1:"));
    assert!(chrome.profile.join("DevToolsActivePort").is_file());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&chrome.profile)
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o077, 0, "{mode:o}");
    }
    // The HTTP form of its address leads to the same browser.
    let http = chrome.endpoint().url().replace("ws://", "http://");
    let (authority, _) = http["http://".len()..].split_once('/').unwrap();
    let over_http = Endpoint::parse(&format!("http://{authority}")).unwrap();
    let again = Browser::connect(&over_http).await.unwrap();
    assert_eq!(again.url(), chrome.browser.url());
}

#[tokio::test]
async fn taken_port_is_reported() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut launch = launch();
    launch.port = Some(taken.local_addr().unwrap().port());
    let error = launch.start().await.unwrap_err();
    assert!(
        matches!(error, LaunchError::PortTaken { port, .. } if Some(port) == launch.port),
        "{error:?}"
    );
    std::fs::remove_dir_all(&launch.profile).unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn other_program_is_reported_with_its_output() {
    use driver_chrome::browser::ProgramSearch;
    let folder = browser_profile("chrome");
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join("chromium");
    let script = "#!/bin/sh\necho 'I am no browser' >&2\nexit 3\n";
    std::fs::write(&program, script).unwrap();
    let run = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&program, run).unwrap();
    let places = ProgramSearch {
        named: Some(program.into_os_string()),
        ..ProgramSearch::default()
    };
    let mut launch = launch();
    launch.program = places.find().unwrap();
    let error = launch.start().await.unwrap_err();
    let LaunchError::Ended { words, .. } = &error else {
        panic!("{error:?}");
    };
    assert_eq!(words, &["I am no browser"]);
    assert!(
        error
            .to_string()
            .ends_with("exit status: 3) before it was ready: I am no browser"),
        "{error}"
    );
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::remove_dir_all(&launch.profile).unwrap();
}

#[tokio::test]
async fn used_profile_is_refused() {
    let chrome = TestBrowser::start().await;
    let mut second = launch();
    second.profile.clone_from(&chrome.profile);
    let error = second.start().await.unwrap_err();
    assert!(
        matches!(error, LaunchError::ProfileTaken { .. }),
        "{error:?}"
    );
    // The first one is unaffected.
    assert_eq!(chrome.browser.tabs().await.unwrap().len(), 1);
}
