//! Dialogs of a page: windows with buttons, which only the caller presses.

use driver::{Browser as _, Driver, DriverError, Key, NodeAct};
use driver_chrome::DialogTab;
use testkit::web::Reply;
use uitree::Query;

use super::{DrivenTab, cx};

const PAGE: &str =
    "<button id=alert onclick=\"note('before');alert('Careful');note('after')\">A</button>
    <button id=confirm onclick=\"note(confirm('Sure?'))\">C</button>
    <button id=prompt onclick=\"note(prompt('Name?', 'Ada'))\">P</button><input id=field>";

#[tokio::test]
async fn dialog_is_observed_and_answered_only_by_the_caller() {
    let mut driven = DrivenTab::show(PAGE).await;
    assert_eq!(driven.click("alert").await, Ok(()));
    assert_eq!(driven.noted(), ["before"]);
    let seen = driven.observe().await;
    assert!(
        seen.tree.to_notation().contains("Careful"),
        "{}",
        seen.tree.to_notation()
    );
    let refused = driven.driver.screenshot(&cx()).await;
    assert!(
        matches!(refused, Err(DriverError::Refused(_))),
        "{refused:?}"
    );
    assert_eq!(
        driven.act(Query::new().text("OK"), &NodeAct::Click).await,
        Ok(())
    );
    driven
        .web
        .until(|requests| requests.iter().any(|each| each.body == "after"))
        .await;

    assert_eq!(driven.click("confirm").await, Ok(()));
    assert_eq!(
        driven
            .act(Query::new().text("Cancel"), &NodeAct::Click)
            .await,
        Ok(())
    );
    driven
        .web
        .until(|requests| requests.iter().any(|each| each.body == "false"))
        .await;
    assert_eq!(driven.click("confirm").await, Ok(()));
    assert_eq!(driven.key(Key::Enter).await, Ok(()));
    driven
        .web
        .until(|requests| requests.iter().any(|each| each.body == "true"))
        .await;

    assert_eq!(driven.click("prompt").await, Ok(()));
    let field = Query::new().role("textfield");
    let (seen, node) = driven.find(field.clone()).await;
    assert_eq!(&*seen.tree.node(node).text, "Ada");
    let text = NodeAct::SetText("Grace".to_owned());
    assert_eq!(driven.act(field.clone(), &text).await, Ok(()));
    let (seen, node) = driven.find(field).await;
    assert_eq!(&*seen.tree.node(node).text, "Grace");
    assert_eq!(
        driven.act(Query::new().text("OK"), &NodeAct::Click).await,
        Ok(())
    );
    driven
        .web
        .until(|requests| requests.iter().any(|each| each.body == "Grace"))
        .await;
    assert_eq!(driven.click("confirm").await, Ok(()));
    assert_eq!(driven.key(Key::Back).await, Ok(()));
    driven.find(Query::new().id("confirm")).await;
}

#[tokio::test]
async fn beforeunload_dialog_leaves_page_when_accepted() {
    let mut driven = DrivenTab::show(
        "<button id=edit onclick=\"window.addEventListener('beforeunload', (event) => event.preventDefault()); this.textContent = 'Editing'\">Edit</button>",
    )
    .await;
    driven.page("/next", "<p id=next>Next");
    assert_eq!(driven.click("edit").await, Ok(()));
    driven.find(Query::new().text("Editing")).await;
    let requests = driven.open("/next").await;
    assert!(
        matches!(&requests, Err(DriverError::Dialog { message, buttons }) if message.contains("asks for confirmation") && *buttons == ["Leave", "Cancel"]),
        "{requests:?}"
    );
    assert!(matches!(
        driven.open("/next").await,
        Err(DriverError::Dialog { .. })
    ));
    assert_eq!(
        driven
            .act(Query::new().text("Cancel"), &NodeAct::Click)
            .await,
        Ok(())
    );
    driven.find(Query::new().id("edit")).await;
    assert!(driven.open("/next").await.is_err());
    assert_eq!(
        driven
            .act(Query::new().text("Leave"), &NodeAct::Click)
            .await,
        Ok(())
    );
    driven.find(Query::new().id("next")).await;
}

#[tokio::test]
async fn open_leaves_page_with_endless_dialogs() {
    let mut driven = DrivenTab::show("<p id=first>First").await;
    driven.page(
        "/endless",
        "<script>for (let at = 1;; at++) alert(`Dialog ${at}`)</script>",
    );
    driven.page(
        "/loath",
        "<script>onbeforeunload = () => 'no'; for (let at = 1;; at++) confirm(`Dialog ${at}`)</script>",
    );
    for path in ["/endless", "/loath"] {
        // The page loads until its first dialog; a few of them may be answered.
        assert_eq!(driven.open(path).await, Ok(()));
        for at in 1..5 {
            driven.find(Query::new().text(format!("Dialog {at}"))).await;
            let refused = driven.open("/").await;
            assert!(
                matches!(&refused, Err(DriverError::Dialog { message, .. }) if message.contains(&format!("Dialog {at}"))),
                "{refused:?}"
            );
            assert_eq!(driven.key(Key::Enter).await, Ok(()));
        }
        driven.find(Query::new().text("Dialog 5")).await;
        assert_eq!(driven.open("/").await, Ok(()), "{path}");
        driven.find(Query::new().id("first")).await;
    }
}

#[tokio::test]
async fn dialog_stays_open_while_tab_is_paused() {
    let mut driven = DrivenTab::show(PAGE).await;
    assert_eq!(driven.click("confirm").await, Ok(()));
    let left = driven.driver.pause().remove(0);
    assert_eq!((&*left.message, left.tab), ("Sure?", DialogTab::Front));
    assert_eq!(left.buttons, ["OK", "Cancel"]);
    assert_eq!(driven.driver.resume(&cx()).await, Ok(()));
    driven.find(Query::new().text("Sure?")).await;
    assert_eq!(driven.noted(), [""; 0]);
    assert_eq!(driven.driver.pause().len(), 1);
    assert_eq!(driven.driver.resume(&cx()).await, Ok(()));
    let ok = driven.act(Query::new().text("OK"), &NodeAct::Click);
    assert_eq!(ok.await, Ok(()));
    let has_answer =
        |requests: &[testkit::web::Request]| requests.iter().any(|each| each.body == "true");
    driven.web.until(has_answer).await;
    assert_eq!(driven.driver.pause(), []);
    assert_eq!(driven.driver.resume(&cx()).await, Ok(()));
    assert_eq!(driven.click("confirm").await, Ok(()));
    assert_eq!(driven.driver.detach().await.len(), 1);
    let has_answer =
        |requests: &[testkit::web::Request]| requests.iter().any(|each| each.body == "false");
    driven.web.until(has_answer).await;
}

#[tokio::test]
async fn dialog_of_a_tab_that_was_left_stays_open_until_it_is_answered() {
    let mut driven = DrivenTab::show(
        "<button id=start onclick=\"fetch('{{own}}/go').finally(() => note(confirm('Delete everything?')))\">Start</button>",
    )
    .await;
    driven
        .web
        .reply("/go", Reply::Held(Box::new(Reply::Nothing)));
    driven.page("/other", "<p id=other>Other");
    let asking = driven.driver.tab().unwrap().id().clone();
    let mut state = driven.driver.tab().unwrap().watch();
    assert_eq!(driven.click("start").await, Ok(()));
    let other = driven.web.url("/other");
    assert_eq!(
        driven.driver.open_tab(&cx(), &other).await.map(drop),
        Ok(())
    );
    driven.find(Query::new().id("other")).await;
    assert_eq!(driven.driver.pause(), []);
    driven.web.release("/go");
    let opened = state.wait_for(|state| state.dialog.is_some());
    testkit::within("the dialog", opened).await.unwrap();
    assert_eq!(driven.driver.resume(&cx()).await, Ok(()));
    let device = format!("chrome:{asking}");
    let left = driven.driver.pause().remove(0);
    assert_eq!(left.tab, DialogTab::Other(device.clone()));
    assert_eq!(left.message, "Delete everything?");
    assert_eq!(driven.noted(), [""; 0]);
    // A run on this tab takes it over; it comes without a new attachment, which would not be told of the dialog.
    let mut own = driven.driver.split(&asking).unwrap();
    assert_eq!(driven.driver.pause(), []);
    assert_eq!(own.resume(&cx()).await, Ok(()));
    assert_eq!(own.pause().remove(0).tab, DialogTab::Front);
    assert_eq!(own.resume(&cx()).await, Ok(()));
    assert_eq!(own.key(&cx(), Key::Enter).await.map(drop), Ok(()));
    driven.until_noted("true").await;
}
