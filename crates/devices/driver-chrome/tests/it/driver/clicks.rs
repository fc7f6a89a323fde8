//! Clicks through the tree: the element found by its id is the one clicked.

use driver::{Driver, DriverError, NodeAct};
use uitree::Query;

use super::{DrivenTab, Running, cx};

/// The prefix of the message that a press was not made since it would have hit something else.
const COVERED: &str = "something else came to lie there";

#[tokio::test]
async fn click_arrives_once_at_any_position() {
    let mut driven = DrivenTab::show(
        "<button id=near onclick=note('near')>Near</button><iframe src='{{own}}/same' id=same style='width:400px;height:200px'></iframe>
         <iframe src='{{other}}/other' id=other style='width:400px;height:200px;border:5px solid'></iframe>
         <x-closed></x-closed><script>customElements.define('x-closed', class extends HTMLElement { connectedCallback() {
           const root = this.attachShadow({mode: 'closed'}); root.innerHTML = '<button id=closed>In a closed tree</button>'; root.firstChild.onclick = () => note('closed') } })</script>",
    )
    .await;
    let deep = "<div style='height:1000px'></div><button id=NAME onclick=note('NAME')>In NAME</button><div style='height:1000px'></div>";
    driven.page("/same", &deep.replace("NAME", "insame"));
    driven.page(
        "/other",
        &format!(
            "{}<iframe src='{{{{own}}}}/back' style='width:350px;height:150px'></iframe>",
            deep.replace("NAME", "inother")
        ),
    );
    driven.page("/back", &deep.replace("NAME", "inback"));
    driven.open("/").await.unwrap();
    for id in ["near", "closed", "insame", "inother", "inback", "near"] {
        let path = match id {
            "insame" | "inother" | "inback" => format!("In {id}"),
            _ => String::new(),
        };
        // Scrolled-out content of a frame is not on the screen: select the element itself.
        let css = match id {
            "near" => "#near".to_owned(),
            "closed" => "x-closed >>> #closed".to_owned(),
            "insame" => "#same >>> #insame".to_owned(),
            "inother" => "#other >>> #inother".to_owned(),
            _ => "#other >>> iframe >>> #inback".to_owned(),
        };
        let before = driven.noted().len();
        let mut left = 5;
        let clicked = loop {
            let node = driven.hit(&css).await;
            let clicked = driven.driver.act(&cx(), node, &NodeAct::Click).await;
            left -= 1;
            match &clicked {
                // On a loaded machine the browser may not yet know the scroll position of an out-of-process
                // frame. Nothing was pressed then, so the caller tries again.
                Err(DriverError::Refused(why) | DriverError::Unreachable(why))
                    if left > 0 && why.starts_with(COVERED) => {}
                _ => break clicked,
            }
        };
        assert_eq!(clicked.map(drop), Ok(()), "{id} {path}");
        let noted = driven.noted();
        assert_eq!(noted[before..], [id], "{noted:?}");
    }
}

#[tokio::test]
async fn gone_or_outdated_node_is_stale() {
    let mut driven = DrivenTab::show(
        "<button id=go onclick=\"note('go');this.remove()\">Go</button><button id=stay onclick=note('stay')>Stay</button>",
    )
    .await;
    let (seen, go) = driven.find(Query::new().id("go")).await;
    let go = seen.node_ref(go);
    assert_eq!(driven.driver_act(go, &NodeAct::Click).await, Ok(()));
    assert_eq!(
        driven.driver.act(&cx(), go, &NodeAct::Click).await,
        Err(DriverError::Stale)
    );
    let (seen, stay) = driven.find(Query::new().id("stay")).await;
    let stay = seen.node_ref(stay);
    driven.open("/").await.unwrap();
    assert_eq!(
        driven.driver.act(&cx(), stay, &NodeAct::Click).await,
        Err(DriverError::Stale)
    );
    assert_eq!(driven.noted(), ["go"]);
}

#[tokio::test]
async fn coordinates_are_device_pixels() {
    let running = Running::with(&["--force-device-scale-factor=3"]).await;
    let mut driven = DrivenTab::on(
        running,
        "<body style='margin:0'><button id=b style='position:absolute;left:100px;top:50px;width:80px;height:40px' onclick=note(devicePixelRatio)>B</button>",
    )
    .await;
    let (seen, b) = driven.find(Query::new().id("b")).await;
    let bounds = seen.tree.visible_bounds(b).unwrap();
    assert_eq!(bounds.to_string(), "[300,150][540,270]");
    assert_eq!(
        driven
            .driver
            .act(&cx(), seen.node_ref(b), &NodeAct::Click)
            .await
            .map(drop),
        Ok(())
    );
    let tap = driver::Gesture::Tap {
        at: bounds.center(),
    };
    assert_eq!(driven.driver.touch(&cx(), &tap).await, Ok(()));
    assert_eq!(driven.noted(), ["3", "3"]);
    let shot = driven.driver.screenshot(&cx()).await.unwrap();
    assert_eq!(shot.size, seen.tree.screen());
}
