//! A simulated phone on its own thread. A page requests its screen and sends it events.

use std::sync::mpsc as answers;

use driver::{Cx, Driver, NodeAct, Observation};
use driver_sim::SimDriver;
use serde_json::{Value, json};
use testkit::Scenario;
use tokio::sync::mpsc;
use uitree::{NodeId, UiTree};

use crate::phone::{json_of, options_of, plan, run};
use crate::scenarios::seed;
use crate::web::cx;

/// A request of a page, and the channel for its answer.
type PageRequest = (Value, answers::Sender<String>);

/// A phone that pages can query.
#[derive(Clone)]
pub(crate) struct MirroredPhone {
    asking: mpsc::UnboundedSender<PageRequest>,
    front: String,
}

impl MirroredPhone {
    /// The phone of a scenario after its setup.
    pub(crate) fn start(scenario: &Scenario) -> Self {
        let options = options_of(scenario.blocks("yaml app"), seed(scenario).unwrap());
        let setup = scenario.json("json setup").unwrap();
        let (asking, requests) = mpsc::unbounded_channel();
        let (foreground_sender, front) = answers::channel();
        std::thread::spawn(move || {
            let mut runtime = tokio::runtime::Builder::new_current_thread();
            // Its time is paused until the page shows its screen.
            let runtime = runtime.enable_time().start_paused(true).build().unwrap();
            runtime.block_on(async move {
                let mut phone = SimDriver::new(options).unwrap();
                if let Some(setup) = setup {
                    let answer = json_of(&run(&mut phone, &plan(setup, None)).await);
                    assert_eq!(answer["status"], "success", "{answer:#}");
                }
                let seen = phone.observe(&cx()).await.unwrap();
                foreground_sender
                    .send(seen.foreground.clone().unwrap_or_default())
                    .unwrap();
                serve(phone, requests, cx()).await;
            });
        });
        let front = front.recv().unwrap();
        Self { asking, front }
    }

    /// The app in front after the setup.
    pub(crate) fn front(&self) -> String {
        self.front.clone()
    }

    /// Switches from paused to real time.
    pub(crate) fn let_time_pass(&self) {
        self.ask("{\"do\": \"begin\"}");
    }

    /// Handles a page's request and returns the screen afterwards; empty when the phone is gone.
    pub(crate) fn ask(&self, what: &str) -> String {
        let (answer, answered) = answers::channel();
        let what = serde_json::from_str(what).unwrap_or_default();
        drop(self.asking.send((what, answer)));
        answered.recv().unwrap_or_default()
    }
}

/// Handles requests until all senders are gone; pending requests are answered at the next change.
async fn serve(mut phone: SimDriver, mut requests: mpsc::UnboundedReceiver<PageRequest>, cx: Cx) {
    let mut seen = phone.observe(&cx).await.unwrap();
    let mut waiting: Vec<answers::Sender<String>> = Vec::new();
    let mut lives = false;
    loop {
        let revision = seen.revision;
        let next = tokio::select! {
            biased;
            next = requests.recv() => match next {
                Some(next) => Some(next),
                None => return,
            },
            changed = phone.changed(&cx, revision), if lives && !waiting.is_empty() => {
                changed.unwrap();
                None
            }
        };
        match next {
            Some((what, answer)) if what["do"] == "wait" && what["rev"] == revision.0 => {
                waiting.push(answer);
                continue;
            }
            Some((what, answer)) => {
                if what["do"] == "begin" && !lives {
                    tokio::time::resume();
                    lives = true;
                }
                if what["rev"] == revision.0 {
                    act(&mut phone, &seen, &what, &cx).await;
                }
                seen = phone.observe(&cx).await.unwrap();
                // The requester may be gone.
                drop(answer.send(screen_json(&seen)));
            }
            None => seen = phone.observe(&cx).await.unwrap(),
        }
        if seen.revision != revision {
            for answer in waiting.drain(..) {
                drop(answer.send(screen_json(&seen)));
            }
        }
    }
}

/// Applies one event to one node, as an app would; a refused event changes nothing.
async fn act(phone: &mut SimDriver, seen: &Observation, what: &Value, cx: &Cx) {
    let place = what["node"]
        .as_u64()
        .and_then(|place| usize::try_from(place).ok());
    let Some(node) = place.and_then(|place| seen.tree.get(place)) else {
        return;
    };
    let text = || what["text"].as_str().unwrap_or_default().to_owned();
    let act = match what["do"].as_str() {
        Some("click") => NodeAct::Click,
        Some("hold") => NodeAct::LongClick,
        Some("write") => NodeAct::SetText(text()),
        Some("focus") => NodeAct::Focus,
        Some("submit") => NodeAct::Submit,
        _ => return,
    };
    drop(phone.act(cx, seen.node_ref(node), &act).await);
}

/// A screen as JSON for the page.
fn screen_json(seen: &Observation) -> String {
    let tree = &seen.tree;
    let roots: Vec<Value> = tree
        .windows()
        .iter()
        .filter_map(|window| drawn(tree, window.root, window.layer))
        .collect();
    json!({"rev": seen.revision.0, "nodes": roots}).to_string()
}

/// A node and its descendants as JSON, as far as they are visible.
fn drawn(tree: &UiTree, id: NodeId, layer: i32) -> Option<Value> {
    let bounds = tree.visible_bounds(id)?;
    let node = tree.node(id);
    let children: Vec<Value> = tree
        .children(id)
        .filter_map(|child| drawn(tree, child, layer))
        .collect();
    let states: Vec<&str> = node.state.iter_names().map(|(name, _)| name).collect();
    Some(json!({
        "node": id.index(),
        "role": node.role.as_str(),
        "text": *node.text,
        "hint": *node.hint,
        "label": *node.label,
        "id": *node.id,
        "bounds": [bounds.left, bounds.top, bounds.right, bounds.bottom],
        "layer": layer,
        "states": states,
        "children": children,
    }))
}
