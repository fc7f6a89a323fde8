//! Writes pages as JSON for development: `capture [--tree] URL OUT [URL OUT]…`.
//!
//! One browser loads each page in turn and writes it as [`dom::Dom`]; `--tree` prints the screen in its
//! notation. `OUT` may be `-` for none.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use cdp::protocol::page::Navigate;
use cdp::protocol::target::{AttachToTarget, CreateTarget};
use driver::Cx;
use driver_chrome::page::PageObserver;
use tokio_util::sync::CancellationToken;

type Failure = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let tree = arguments.iter().any(|argument| argument == "--tree");
    let time = arguments.iter().any(|argument| argument == "--time");
    let compare = arguments.iter().any(|argument| argument == "--compare");
    arguments.retain(|argument| !argument.starts_with("--"));
    let profile = std::env::temp_dir().join(format!("capture-{}", std::process::id()));
    std::fs::create_dir_all(&profile)?;
    let done = run(&profile, &arguments, tree, time, compare).await;
    let _ = std::fs::remove_dir_all(&profile);
    done
}

async fn run(
    profile: &Path,
    arguments: &[String],
    tree: bool,
    time: bool,
    compare: bool,
) -> Result<(), Failure> {
    let program = std::env::var_os("CLAWPERATOR_CHROME").unwrap_or("chromium".into());
    let mut browser = tokio::process::Command::new(program)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--remote-debugging-port=0",
        ])
        .args(
            std::env::var("CAPTURE_FLAGS")
                .unwrap_or_default()
                .split_whitespace(),
        )
        .arg(format!("--user-data-dir={}", profile.display()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let url = endpoint(profile).await?;
    let connection = cdp::Connection::open(&url).await?;
    let about = CreateTarget {
        url: "about:blank".to_owned(),
        ..CreateTarget::default()
    };
    for pair in arguments.chunks(2) {
        let [from, to] = pair else {
            return Err("each url needs a place to write to".into());
        };
        let target = connection.browser().call(&about).await?.target_id;
        let attach = AttachToTarget::to(&target);
        let attached = connection.browser().call(&attach).await?;
        let session = connection.session(&attached.session_id);
        let cx = Cx::new(Duration::from_secs(60), CancellationToken::new());
        let mut observer = PageObserver::open(&cx, &session).await?;
        let url = if from.contains(':') {
            from.clone()
        } else {
            format!("file://{}", PathBuf::from(from).canonicalize()?.display())
        };
        let mut events = session.events();
        session
            .call(&Navigate {
                url,
                frame_id: None,
            })
            .await?;
        loaded(&mut events).await;
        let seen = observer.observe(&cx, &[]).await?;
        if time {
            let mut took = Vec::new();
            for _ in 0..40 {
                let begin = Instant::now();
                observer.observe(&cx, &[]).await?;
                took.push(begin.elapsed().as_secs_f64() * 1e3);
            }
            took.sort_by(f64::total_cmp);
            eprintln!(
                "{:.1} ms at best, {:.1} ms in the middle: {} elements, {} nodes",
                took.first().copied().unwrap_or_default(),
                took.get(20).copied().unwrap_or_default(),
                seen.dom.elements().len(),
                seen.observation.tree.len()
            );
        }
        if compare {
            observer.use_browser_accessibility();
            let from_browser = observer.observe(&cx, &[]).await?;
            hold_against(from, &seen.dom, &from_browser.dom);
        }
        if tree {
            print!("{}", seen.observation.tree.to_notation());
        }
        if to != "-" {
            std::fs::write(to, serde_json::to_vec(&*seen.dom)?)?;
        }
    }
    browser.kill().await?;
    Ok(())
}

/// Prints where the computed accessibility data differ from the browser's, and how often they agree.
fn hold_against(from: &str, own: &dom::Dom, from_browser: &dom::Dom) {
    let by_handle: std::collections::HashMap<dom::Handle, &dom::Element> = from_browser
        .elements()
        .iter()
        .map(|element| (element.handle, element))
        .collect();
    let (mut all, mut agree) = (0, 0);
    for element in own.elements() {
        let Some(other) = by_handle.get(&element.handle) else {
            println!("{from}: gone: {element:?}");
            continue;
        };
        let exposed = |element: &dom::Element| {
            let ignored = element.is(dom::Facts::IGNORED);
            let said = |text: &str| {
                if ignored {
                    String::new()
                } else {
                    text.to_owned()
                }
            };
            (ignored, said(&element.role), said(&element.name))
        };
        all += 1;
        let words = |element: &dom::Element| {
            let (ignored, role, name) = exposed(element);
            format!("{} {role} {name:?}", if ignored { "-" } else { "+" })
        };
        if exposed(element) == exposed(other) {
            agree += 1;
        } else {
            println!(
                "{from}: <{}> {:?}: {} | browser {}",
                element.tag,
                element.attributes,
                words(element),
                words(other)
            );
        }
        let ignored = element.is(dom::Facts::IGNORED);
        if element.facts != other.facts && ignored == other.is(dom::Facts::IGNORED) {
            println!(
                "{from}: <{}> {:?}: FACTS {:?} | browser {:?}",
                element.tag,
                element.attributes,
                element.facts - other.facts,
                other.facts - element.facts
            );
        }
        if (&element.description, &element.value) != (&other.description, &other.value) {
            println!(
                "{from}: <{}> {:?}: SAID {:?} {:?} | browser {:?} {:?}",
                element.tag,
                element.attributes,
                element.description,
                element.value,
                other.description,
                other.value
            );
        }
    }
    println!("{from}: {agree} of {all} agree");
}

/// Waits until the page has loaded, at most half a minute: saved pages refer to hosts that do not exist.
async fn loaded(events: &mut cdp::Events) {
    let wait = async {
        loop {
            match events.next().await {
                cdp::NextEvent::Event(event) if event.method() == "Page.loadEventFired" => return,
                cdp::NextEvent::Lost(_) => return,
                cdp::NextEvent::Event(_) | cdp::NextEvent::Lagged(_) => {}
            }
        }
    };
    let _ = tokio::time::timeout(Duration::from_secs(30), wait).await;
}

async fn endpoint(profile: &Path) -> Result<String, Failure> {
    let begin = Instant::now();
    loop {
        let from_browser =
            std::fs::read_to_string(profile.join("DevToolsActivePort")).unwrap_or_default();
        if let [port, path] = from_browser.lines().collect::<Vec<_>>().as_slice() {
            return Ok(format!("ws://127.0.0.1:{port}{path}"));
        }
        if begin.elapsed() > Duration::from_secs(30) {
            return Err("the browser does not start".into());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
