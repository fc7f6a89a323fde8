//! Dialogs of a page: windows with buttons, which nobody but the caller presses.

use driver::{Driver, DriverError, Key, NodeAct};
use uitree::Query;

use super::{Driven, cx};

const PAGE: &str =
    "<button id=alert onclick=\"note('before');alert('Careful');note('after')\">A</button>
    <button id=confirm onclick=\"note(confirm('Sure?'))\">C</button>
    <button id=prompt onclick=\"note(prompt('Name?', 'Ada'))\">P</button><input id=field>";

#[tokio::test]
async fn a_dialog_is_seen_and_answered_and_nothing_is_accepted_by_itself() {
    let mut driven = Driven::show(PAGE).await;
    assert_eq!(driven.click("alert").await, Ok(()));
    assert_eq!(driven.noted(), ["before"]);
    let seen = driven.look().await;
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
        .until(|asked| asked.iter().any(|each| each.body == "after"))
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
        .until(|asked| asked.iter().any(|each| each.body == "false"))
        .await;
    assert_eq!(driven.click("confirm").await, Ok(()));
    assert_eq!(driven.driver.key(&cx(), Key::Enter).await, Ok(()));
    driven
        .web
        .until(|asked| asked.iter().any(|each| each.body == "true"))
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
        .until(|asked| asked.iter().any(|each| each.body == "Grace"))
        .await;
    assert_eq!(driven.click("confirm").await, Ok(()));
    assert_eq!(driven.driver.key(&cx(), Key::Back).await, Ok(()));
    driven.find(Query::new().id("confirm")).await;
}

#[tokio::test]
async fn a_page_that_asks_whether_to_leave_it_is_left_when_that_is_clicked() {
    let mut driven = Driven::show(
        "<button id=edit onclick=\"window.addEventListener('beforeunload', (event) => event.preventDefault()); this.textContent = 'Editing'\">Edit</button>",
    )
    .await;
    driven.page("/next", "<p id=next>Next");
    assert_eq!(driven.click("edit").await, Ok(()));
    driven.find(Query::new().text("Editing")).await;
    let asked = driven.open("/next").await;
    assert!(
        matches!(&asked, Err(DriverError::NotLoaded { reason, .. }) if reason.contains("asks first")),
        "{asked:?}"
    );
    assert!(matches!(
        driven.open("/next").await,
        Err(DriverError::Refused(_))
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
