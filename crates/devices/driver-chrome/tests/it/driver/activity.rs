//! What a page is at: the timers that its scripts start, and what turns on it.

use std::time::Duration;

use driver::{Browser as _, Loading, NodeAct};
use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpListener;
use uitree::Query;

use super::{DrivenTab, cx};

const PAGE: &str = "<style>
     @keyframes turn { to { transform: rotate(360deg) } } @keyframes ant-spin { to { opacity: .5 } } @keyframes beat { to { scale: 1.1 } }
     .turning { width: 30px; height: 30px; animation: turn 1s linear infinite } .named { width: 30px; height: 30px; animation: ant-spin 1s infinite }
     .beating { width: 30px; height: 30px; animation: beat 1s infinite } .large { width: 300px; height: 300px; animation: turn 1s infinite }
     .slow { width: 30px; height: 30px; animation: turn 20s infinite } .hidden { visibility: hidden } .once { width: 30px; height: 30px; animation: turn 1s 2 }
   </style>
   <button id=plain onclick='shown.textContent += 1'>Plain</button>
   <button id=later onclick='setTimeout(() => { shown.textContent += 2 }, 200)'>Later</button>
   <input id=field><select id=list><option>One<option>Two</select>
   <iframe id=frame srcdoc='<button onclick=\"setTimeout(() => {}, 200)\">Inner</button>'></iframe>
   <p id=shown></p><div id=busy></div><div style='height: 3000px'></div><button id=last>Last</button>";

async fn loading(driven: &mut DrivenTab) -> Loading {
    driven.observe().await;
    driven.driver.loading(Duration::from_secs(5))
}

#[tokio::test]
async fn timers_of_a_page_are_counted_and_input_starts_none() {
    let mut driven = DrivenTab::show(PAGE).await;
    let text = NodeAct::SetText("Ada".to_owned());
    for (act, query) in [
        (NodeAct::Click, Query::new().id("plain")),
        (text, Query::new().id("field")),
        (NodeAct::Click, Query::new().id("later")),
        (NodeAct::Click, Query::new().text("Inner")),
    ] {
        let (before, name) = (
            loading(&mut driven).await.timers,
            format!("{act:?} {query}"),
        );
        let starts = name.contains("later") || name.contains("Inner");
        driven.act(query, &act).await.unwrap();
        let after = loading(&mut driven).await.timers;
        assert_eq!(after - before, u64::from(starts), "{name}");
    }
    let before = loading(&mut driven).await.timers;
    let clicked = driven.driver.click_css(&cx(), "#last").await.unwrap();
    assert!(clicked.is_some());
    let list = driven.hit("#list").await;
    let (cx, options) = (cx(), ["Two".to_owned()]);
    let chosen = driven.driver.select_options(&cx, list, &options).await;
    assert_eq!(chosen.unwrap(), ["Two"]);
    assert_eq!(loading(&mut driven).await.timers, before);
    // Those of another document belong to its loading.
    driven.page("/other", "<script>setTimeout(() => {}, 9)</script>");
    driven.open("/other").await.unwrap();
    assert_eq!(loading(&mut driven).await.timers, before);
}

#[tokio::test]
async fn small_elements_that_turn_without_end_are_busy() {
    let spinners = ["turning", "named"];
    let others = ["beating", "large", "slow", "turning hidden", "once"];
    let mut driven = DrivenTab::show("").await;
    for (kinds, busy) in [(&spinners[..], 1), (&others[..], 0)] {
        for class in kinds {
            driven.page(
                "/busy",
                &PAGE.replace("id=busy", &format!("class='{class}'")),
            );
            driven.open("/busy").await.unwrap();
            let parts = loading(&mut driven).await.busy_parts;
            assert_eq!(parts, busy, "{class}");
        }
    }
}

#[tokio::test]
async fn answer_of_a_web_socket_to_a_click_is_awaited() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (answer, mut answers) = tokio::sync::mpsc::channel::<()>(1);
    let server = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let mut socket = tokio_tungstenite::accept_async(stream).await.unwrap();
        while let Some(Ok(message)) = socket.next().await {
            answers.recv().await.unwrap();
            socket.send(message).await.unwrap();
        }
    });
    let mut driven = DrivenTab::show(&format!(
        "<button id=ask onclick=\"socket.send('q')\">Ask</button><p id=shown></p><script>const socket = new WebSocket('ws://127.0.0.1:{port}/');
         socket.onopen = () => note('open'); socket.onmessage = () => {{ shown.textContent = 'Answered' }}</script>"
    ))
    .await;
    driven.until_noted("open").await;
    assert_eq!(loading(&mut driven).await.messages, 0);
    driven.click("ask").await.unwrap();
    assert_eq!(loading(&mut driven).await.messages, 1);
    answer.send(()).await.unwrap();
    driven.find(Query::new().text("Answered")).await;
    assert_eq!(driven.driver.loading(Duration::ZERO).messages, 0);
    server.abort();
}
