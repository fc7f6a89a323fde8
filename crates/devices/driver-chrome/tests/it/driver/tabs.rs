//! Tabs that open and close.

use driver::{Dispatch, Driver, DriverError, Key, NodeAct, Target};
use testkit::web::{HOST, OTHER_HOST};
use uitree::Query;

use super::{DrivenTab, cx};

#[tokio::test]
async fn opened_tab_is_followed_until_it_closes() {
    let mut driven = DrivenTab::show(
        "<a id=link target=_blank href='{{other}}/second'>Second</a><button id=window onclick=\"window.open('{{own}}/popup')\">Pop</button>",
    )
    .await;
    driven.page("/second", "<p id=second>Second page");
    driven.page(
        "/popup",
        "<button id=close onclick=window.close()>Close me</button>",
    );
    let (host, other) = (
        format!("{HOST}:{}", driven.web.port()),
        format!("{OTHER_HOST}:{}", driven.web.port()),
    );
    assert_eq!(driven.click("link").await, Ok(()));
    let (seen, _) = driven.find(Query::new().id("second")).await;
    assert_eq!(seen.foreground.as_deref(), Some(&*other));
    assert_eq!(driven.front().await, other);
    // Back to the first by its host.
    let first = Target::App(host.clone());
    assert_eq!(driven.driver.open(&cx(), &first).await.map(drop), Ok(()));
    let (old, node) = (seen.clone(), seen.tree.ids().next().unwrap());
    let stale = driven
        .driver
        .act(&cx(), old.node_ref(node), &NodeAct::Click)
        .await;
    assert_eq!(stale, Err(DriverError::Stale));
    let (now, _) = driven.find(Query::new().id("link")).await;
    assert!(now.revision > seen.revision);

    assert_eq!(driven.click("window").await, Ok(()));
    assert_eq!(driven.click("close").await, Ok(()));
    let (seen, _) = driven.find(Query::new().id("window")).await;
    assert_eq!(seen.foreground.as_deref(), Some(&*host));

    // A tab that closes before the release was pressed, if it had time to report it.
    driven.page(
        "/popup",
        "<button id=close onmousedown=window.close() onkeydown=window.close()>Close me</button>
         <script>document.getElementById('close').focus()</script>",
    );
    let pressed = |done: Result<(), DriverError>| match done {
        Ok(()) => true,
        Err(DriverError::Lost { dispatch, .. }) => dispatch == Dispatch::Unknown,
        Err(_) => false,
    };
    assert_eq!(driven.click("window").await, Ok(()));
    assert!(pressed(driven.click("close").await));
    driven.find(Query::new().id("window")).await;
    assert_eq!(driven.click("window").await, Ok(()));
    driven.find(Query::new().id("close")).await;
    assert!(pressed(driven.key(Key::Enter).await));
    driven.find(Query::new().id("window")).await;

    assert_eq!(driven.driver.close(&cx(), &other).await, Ok(()));
    assert_eq!(
        driven.driver.close(&cx(), &other).await,
        Err(DriverError::NoTab(other))
    );
    assert_eq!(driven.front().await, host);
    assert_eq!(driven.driver.close(&cx(), &host).await, Ok(()));
    assert_eq!(driven.front().await, "about:blank");
    let gone = driven.driver.open(&cx(), &first).await;
    assert_eq!(gone, Err(DriverError::NoTab(host)));
}
