//! Reading pages, selectors and tasks.

use bench::gold::miniwob;
use bench::gold::page_reading::read_page;
use bench::gold::select::select;

use crate::TestPage;

const PAGE: &str = r#"<!doctype html><title>t</title>
<h1>Shop</h1>
<a href="/a">Open the catalogue</a>
<h2>Payment details</h2>
<button aria-label="Pay now">€</button>
<button style="display:none">Never drawn</button>
<div style="opacity:0"><button>Transparent</button></div>
<a href="/skip" style="position:absolute;width:1px;height:1px;overflow:hidden">For readers of screens</a>
<input placeholder="cardNumber"><p data-note="unsubscribe">Words</p>
<iframe srcdoc="<button>In the frame</button>"></iframe>
<x-open></x-open><x-closed></x-closed>
<script>
  for (const mode of ["open", "closed"]) {
    const root = document.querySelector("x-" + mode).attachShadow({ mode });
    root.innerHTML = "<button class=inner>In the " + mode + " tree</button>";
  }
</script>"#;

#[tokio::test]
async fn page_is_read_as_users_see_it() {
    let page = TestPage::open("look", PAGE).await;
    let reading = read_page(page.tab.session()).await.unwrap();
    let seen: Vec<(&str, &str, &str)> = reading
        .named
        .iter()
        .map(|named| (&*named.role, &*named.name, &*named.heading))
        .collect();
    assert_eq!(
        seen,
        [
            ("link", "Open the catalogue", "Shop"),
            ("button", "Pay now", "Payment details"),
            ("textbox", "cardNumber", "Payment details"),
            ("button", "In the open tree", "Payment details"),
            ("button", "In the closed tree", "Payment details"),
            ("button", "In the frame", ""),
        ]
    );
    assert_eq!(reading.named[0].target, "/a");
    assert_eq!(
        reading.describe(reading.named[1].node),
        "button \"Pay now\" <button>"
    );
    for word in ["words", "unsubscribe", "card", "transparent", "frame"] {
        assert!(reading.vocabulary.has(word), "{word}");
    }
    assert!(!reading.vocabulary.has("voucher"));
    page.end().await;
}

#[tokio::test]
async fn selector_passes_frames_and_shadow_trees() {
    let page = TestPage::open("select", PAGE).await;
    let session = page.tab.session();
    let reading = read_page(session).await.unwrap();
    for (css, name) in [
        ("[aria-label='Pay now']", "Pay now"),
        ("iframe >>> button", "In the frame"),
        ("x-open >>> .inner", "In the open tree"),
        ("x-closed >>> button", "In the closed tree"),
    ] {
        let named = reading
            .named
            .iter()
            .find(|named| named.name == name)
            .unwrap();
        assert_eq!(select(session, css).await.unwrap(), [named.node], "{css}");
    }
    assert_eq!(select(session, "button").await.unwrap().len(), 3);
    assert_eq!(
        select(session, "input >>> div").await.unwrap(),
        Vec::<i64>::new()
    );
    assert!(select(session, "button[").await.is_err());
    page.end().await;
}

/// A small task with the parts of MiniWoB++ tasks: a seeded page, an instruction, a reward.
const TASK: &str = r#"<!doctype html><title>t</title><div id="wrap"><div id="query"></div><div id="area"></div></div>
<script>
  var WOB_EPISODE_ID = 0, WOB_RAW_REWARD_GLOBAL = 0, seed = 0;
  Math.seedrandom = (text) => { seed = Number(text.slice(1)); };
  var core = {
    EP_TIMER: null,
    clearTimer: () => {},
    getUtterance: () => document.getElementById("query").textContent,
    endEpisode: (reward) => { WOB_RAW_REWARD_GLOBAL = reward; WOB_EPISODE_ID += 1; },
    startEpisodeReal: () => {
      const area = document.getElementById("area");
      area.innerHTML = "<p>Nothing</p><button>one</button><button>two</button>";
      const [one, two] = area.querySelectorAll("button");
      const odd = seed % 2 === 1;
      one.onclick = () => core.endEpisode(odd ? 1 : -1);
      two.onclick = () => core.endEpisode(odd ? SECOND : 1);
      document.getElementById("query").textContent = "Click " + (odd ? "one" : "two");
    },
  };
</script>"#;

#[tokio::test]
async fn reward_identifies_right_elements() {
    // Odd seeds accept both buttons, so any answer would be right.
    let page = TestPage::open("task", &TASK.replace("SECOND", "1")).await;
    let session = page.tab.session();
    let episodes = miniwob::episodes(session).await.unwrap();
    let seeds: Vec<&str> = episodes.iter().map(|episode| episode.seed).collect();
    assert_eq!(seeds, ["s0", "s2", "s4", "s6"]);
    let (query, nodes) = miniwob::start(session, &episodes[1]).await.unwrap();
    assert_eq!(query, "Click two");
    assert_eq!(nodes, select(session, "button:last-child").await.unwrap());
    // The instruction is on the page.
    let reading = read_page(session).await.unwrap();
    assert!(!reading.vocabulary.has("click"));
    page.end().await;
}

#[tokio::test]
async fn task_without_solving_click_is_skipped() {
    let unsolved = TASK.replace("odd ? 1 : -1", "-1").replace("SECOND", "-1");
    let page = TestPage::open("unsolved", &unsolved).await;
    let episodes = miniwob::episodes(page.tab.session()).await.unwrap();
    assert_eq!(episodes, []);
    page.end().await;
}
