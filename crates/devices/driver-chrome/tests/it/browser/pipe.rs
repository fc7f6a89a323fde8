//! A browser on a pipe: no other process can connect to it, clients share it without seeing each other, and it
//! exits with its pipe.

use cdp::protocol::browser::Close;
use cdp::protocol::page::{Enable, FrameNavigated, Navigate};
use cdp::protocol::target::{
    AttachToTarget, GetTargetInfo, SetDiscoverTargets, TargetCreated, TargetInfoChanged,
};
use cdp::{Broker, Endpoint, NextEvent, Session, TargetId};
use driver_chrome::browser::{Browser, LaunchError, PipedBrowser};
use testkit::{Watch, within};
use tokio::net::UnixListener;
use tokio::process::Child;

use super::test_browser::{TestBrowser, launch};

/// A browser on a pipe, and the broker that shares it on a socket.
struct Shared {
    _watch: Option<Watch>,
    child: Child,
    broker: Broker,
    socket: Endpoint,
}

impl Shared {
    async fn start() -> Self {
        let launch = launch();
        let mut watch = None;
        let mut begun = |pid| watch = Some(Watch::over(pid, &launch.profile));
        let PipedBrowser { child, pipe, .. } = launch.start_with_pipe(&mut begun).await.unwrap();
        let broker = Broker::new(pipe.from_browser, pipe.to_browser);
        let path = launch.profile.join("broker.socket");
        let listener = UnixListener::bind(&path).unwrap();
        let serving = broker.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let broker = serving.clone();
                tokio::spawn(async move { broker.serve(stream).await });
            }
        });
        Self {
            _watch: watch,
            child,
            broker,
            socket: Endpoint::from_socket(&path).unwrap(),
        }
    }

    async fn client(&self) -> Browser {
        Browser::connect(&self.socket).await.unwrap()
    }
}

async fn attach(browser: &Browser, tab: &TargetId) -> Session {
    let root = browser.connection().browser();
    let attached = root.call(&AttachToTarget::to(tab)).await.unwrap();
    browser.connection().session(&attached.session_id)
}

async fn navigate(page: &Session, title: &str) {
    let navigate = Navigate {
        url: format!("data:text/html,<title>{title}</title>"),
        ..Navigate::default()
    };
    page.call(&navigate).await.unwrap();
}

#[tokio::test]
async fn clients_of_one_tab_receive_only_their_own_events() {
    let shared = Shared::start().await;
    let (one, two) = (shared.client().await, shared.client().await);
    let tab = one.tabs().await.unwrap().remove(0).id;
    let (page_of_one, page_of_two) = (attach(&one, &tab).await, attach(&two, &tab).await);
    let mut root_of_one = one.connection().browser().events();
    let mut root_of_two = two.connection().browser().events();
    let (mut of_one, mut of_two) = (page_of_one.events(), page_of_two.events());
    let discover = SetDiscoverTargets {
        discover: true,
        filter: None,
    };
    one.connection().browser().call(&discover).await.unwrap();
    page_of_one.call(&Enable {}).await.unwrap();
    navigate(&page_of_two, "Moved").await;
    within("the client receives the event it enabled", async {
        loop {
            if let NextEvent::Event(event) = of_one.next().await
                && event.read::<FrameNavigated>().is_some()
            {
                break;
            }
        }
        loop {
            if let NextEvent::Event(event) = root_of_one.next().await
                && event.read::<TargetInfoChanged>().is_some()
            {
                break;
            }
        }
    })
    .await;
    // An answer follows earlier events.
    two.tabs().await.unwrap();
    assert!(of_two.try_next().is_none());
    assert!(root_of_two.try_next().is_none());
    // The session of one client does not exist for the other.
    let foreign = page_of_one.id().unwrap();
    let refused = two.connection().session(foreign).call(&Enable {}).await;
    assert!(
        matches!(refused, Err(cdp::Error::Gone { .. })),
        "{refused:?}"
    );
    page_of_one.call(&Enable {}).await.unwrap();
    // A new tab is reported to the client that opened it.
    let new = two.open_tab("about:blank").await.unwrap();
    within("the event of the new tab", async {
        loop {
            if let NextEvent::Event(event) = root_of_one.next().await
                && let Some(Ok(created)) = event.read::<TargetCreated>()
                && created.target_info.target_id == new
            {
                break;
            }
        }
    })
    .await;
    assert!(root_of_two.try_next().is_none());
}

#[tokio::test]
async fn disconnected_client_leaves_no_session() {
    let shared = Shared::start().await;
    let (one, two) = (shared.client().await, shared.client().await);
    let tab = one.tabs().await.unwrap().remove(0).id;
    let is_attached = || async {
        let ask = GetTargetInfo {
            target_id: Some(tab.clone()),
        };
        let info = two.connection().browser().call(&ask).await.unwrap();
        info.target_info.attached
    };
    let page = attach(&one, &tab).await;
    assert!(is_attached().await);
    let endless =
        serde_json::json!({ "expression": "new Promise(() => {})", "awaitPromise": true });
    let call = page.call_raw("Runtime.evaluate", &endless);
    page.call(&Enable {}).await.unwrap();
    drop((call, page, one));
    within("the tab is left", async { while is_attached().await {} }).await;
    // The tab still works.
    let page = attach(&two, &tab).await;
    navigate(&page, "Still there").await;
}

#[tokio::test]
async fn large_messages_pass_through() {
    let shared = Shared::start().await;
    let browser = shared.client().await;
    let tab = browser.tabs().await.unwrap().remove(0).id;
    let page = attach(&browser, &tab).await;
    let text = serde_json::json!({
        "expression": "'é\\n\\\"'.repeat(5e6)", "returnByValue": true,
    });
    let answer = page.call_raw("Runtime.evaluate", &text).await.unwrap();
    let text = answer["result"]["value"].as_str().unwrap();
    assert_eq!(text.len(), 4 * 5_000_000);
    let sent = serde_json::json!({ "expression": format!("'{}'.length", "x".repeat(10 << 20)) });
    let answer = page.call_raw("Runtime.evaluate", &sent).await.unwrap();
    assert_eq!(answer["result"]["value"], 10 << 20);
}

#[tokio::test]
async fn closed_browser_disconnects_clients() {
    let mut shared = Shared::start().await;
    let (one, two) = (shared.client().await, shared.client().await);
    one.connection().browser().call(&Close {}).await.unwrap();
    within("everything ends", async {
        two.connection().ended().await;
        shared.broker.ended().await;
        assert!(shared.child.wait().await.unwrap().success());
    })
    .await;
}

#[tokio::test]
async fn browser_exits_with_its_pipe() {
    let launch = launch();
    let mut started = launch.start_with_pipe(&mut |_| {}).await.unwrap();
    assert!(started.product.starts_with("Chrome/"));
    drop(started.pipe);
    within("the browser ends", started.child.wait())
        .await
        .unwrap();
    std::fs::remove_dir_all(&launch.profile).unwrap();
}

#[tokio::test]
async fn failed_start_on_a_pipe_has_a_reason() {
    let chrome = TestBrowser::start().await;
    let mut second = launch();
    second.profile.clone_from(&chrome.profile);
    let error = second.start_with_pipe(&mut |_| {}).await.unwrap_err();
    assert!(
        matches!(error, LaunchError::ProfileTaken { .. }),
        "{error:?}"
    );
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let mut third = launch();
    third.port = Some(taken.local_addr().unwrap().port());
    let error = third.start_with_pipe(&mut |_| {}).await.unwrap_err();
    assert!(
        matches!(error, LaunchError::PortTaken { port, .. } if Some(port) == third.port),
        "{error:?}"
    );
    std::fs::remove_dir_all(&third.profile).unwrap();
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn browser_listens_on_a_port_only_if_requested() {
    let shared = Shared::start().await;
    assert_eq!(testkit::listening_ports(shared.child.id().unwrap()), [0; 0]);
    let mut listens = launch();
    listens.port = Some(0);
    let started = listens.start_with_pipe(&mut |_| {}).await.unwrap();
    let endpoint = started.endpoint.as_ref().unwrap();
    let ports = testkit::listening_ports(started.child.id().unwrap());
    assert!(
        matches!(&*ports, [port] if endpoint.url().contains(&format!(":{port}/"))),
        "{ports:?} {endpoint:?}"
    );
    let over_port = Browser::connect(endpoint).await.unwrap();
    assert_eq!(over_port.tabs().await.unwrap().len(), 1);
    drop(started);
}
