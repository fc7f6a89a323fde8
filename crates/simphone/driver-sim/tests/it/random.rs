//! Random input: the phone survives it, and the same seed gives the same run.

use std::time::Duration;

use driver::{Cx, Driver, DriverError, Gesture, Key, NodeAct, Target};
use driver_sim::journal::Passwords;
use driver_sim::{Fault, SeededRng, SimDriver, SimOptions, Start, ThemeChoice};
use tokio_util::sync::CancellationToken;
use uitree::{Point, Size, State, WindowKind};

use crate::fixture::{SHOP, run};

fn point(rng: &mut SeededRng) -> Point {
    // Sometimes outside the screen.
    Point::new(rng.below(1120) as i32 - 20, rng.below(2400) as i32 - 30)
}

fn pick<T: Copy>(rng: &mut SeededRng, from: &[T]) -> T {
    from[rng.below(from.len() as u64) as usize]
}

const KEYS: [Key; 12] = [
    Key::Back,
    Key::Home,
    Key::Recents,
    Key::Enter,
    Key::Delete,
    Key::Tab,
    Key::Escape,
    Key::VolumeUp,
    Key::VolumeDown,
    Key::Power,
    Key::Menu,
    Key::Search,
];

const APPS: [&str; 5] = [
    "com.android.settings",
    "com.example.shop",
    "com.android.browser",
    "com.android.launcher3",
    "com.no.app",
];

const URIS: [&str; 6] = [
    "settings://wifi",
    "settings://battery",
    "shop://item/3",
    "shop://cart",
    "https://example.com/ä?b",
    "nothing://",
];

const TEXTS: [&str; 6] = ["", "a", "ann@example.com", "0123456789", "🎉 ü\n{x}", "  "];

/// Performs a random step, which may be refused.
async fn step(driver: &mut SimDriver, cx: &Cx, rng: &mut SeededRng) -> Result<(), DriverError> {
    match rng.below(20) {
        0..=3 => {
            let at = point(rng);
            driver.touch(cx, &Gesture::Tap { at }).await
        }
        4..=6 => {
            driver.phone_mut().touch_down(point(rng));
            for _ in 0..rng.below(4) {
                tokio::time::sleep(Duration::from_millis(rng.below(300))).await;
                driver.catch_up();
                driver.phone_mut().touch_move(point(rng));
            }
            if rng.below(5) > 0 {
                driver.phone_mut().touch_up(point(rng));
            }
            Ok(())
        }
        7..=8 => driver.key(cx, pick(rng, &KEYS)).await.map(drop),
        9 => {
            let app = pick(rng, &APPS).to_owned();
            driver.open(cx, &Target::App(app)).await.map(drop)
        }
        10 => {
            let uri = pick(rng, &URIS).to_owned();
            driver.open(cx, &Target::Uri(uri)).await.map(drop)
        }
        11 if rng.below(6) == 0 => driver.close(cx, pick(rng, &APPS)).await,
        12 => driver.type_text(cx, pick(rng, &TEXTS)).await,
        13 => {
            tokio::time::sleep(Duration::from_millis(rng.below(2000))).await;
            Ok(())
        }
        _ => {
            let seen = match driver.observe(cx).await {
                Ok(seen) => seen,
                Err(DriverError::ScreenOff) => return driver.key(cx, Key::Power).await.map(drop),
                Err(error) => return Err(error),
            };
            let required_state = pick(rng, &[State::ENABLED, State::CLICKABLE, State::CLICKABLE]);
            let ids = seen.tree.ids();
            let nodes: Vec<_> = ids
                .filter(|id| seen.tree.node(*id).is(required_state))
                .collect();
            if nodes.is_empty() {
                return Ok(());
            }
            let act = match rng.below(8) {
                0 => NodeAct::LongClick,
                1 => NodeAct::Focus,
                2 => NodeAct::Submit,
                3 => NodeAct::SetText(pick(rng, &TEXTS).to_owned()),
                4 => NodeAct::AppendText(pick(rng, &TEXTS).to_owned()),
                _ => NodeAct::Click,
            };
            let node = seen.node_ref(pick(rng, &nodes));
            driver.act(cx, node, &act).await.map(drop)
        }
    }
}

/// Checks invariants of the screen; returns whether the keyboard is open.
fn check(driver: &mut SimDriver) -> bool {
    let Some(seen) = driver.phone_mut().observe() else {
        return false;
    };
    assert!(!seen.tree.nodes().is_empty() && seen.foreground.is_some());
    assert_eq!(seen.windows.iter().filter(|each| each.active).count(), 1);
    let windows = seen.tree.windows();
    assert!(windows[0].active);
    let focused = |nodes: &[uitree::Node], state: State| {
        let has = |node: &&uitree::Node| node.is(State::FOCUSED | state);
        nodes.iter().filter(has).count()
    };
    assert!(focused(seen.tree.nodes(), State::empty()) <= 1);
    let keyboard = windows
        .iter()
        .any(|window| window.kind == WindowKind::InputMethod);
    if keyboard {
        // A field in the active window is focused.
        let end = windows
            .get(1)
            .map_or(seen.tree.nodes().len(), |next| next.root.index());
        assert_eq!(focused(&seen.tree.nodes()[..end], State::EDITABLE), 1);
    }
    keyboard
}

/// The result of a run: the journal, all answers, how often the keyboard was open, and a screenshot.
#[derive(PartialEq)]
struct RunResult {
    journal: String,
    answers: Vec<String>,
    keyboards: usize,
    picture: Vec<u8>,
}

fn play(options: SimOptions, rounds: u32) -> RunResult {
    run(async {
        let mut rng = SeededRng::new(options.seed, "input");
        let faults = !options.faults.is_empty();
        let mut driver = SimDriver::new(options).unwrap();
        let (mut answers, mut keyboards, mut revision) = (Vec::new(), 0, 0);
        for _ in 0..rounds {
            let cx = Cx::new(Duration::from_secs(20), CancellationToken::new());
            let answer = step(&mut driver, &cx, &mut rng).await;
            answers.push(format!("{answer:?}"));
            // Without faults only, as faults count observations.
            if !faults {
                keyboards += usize::from(check(&mut driver));
            }
            assert!(driver.phone().revision() >= revision);
            revision = driver.phone().revision();
        }
        let picture = driver.phone_mut().draw().to_png();
        let journal = driver.phone().log().to_json(Passwords::ClearText);
        RunResult {
            journal,
            answers,
            keyboards,
            picture,
        }
    })
}

/// A phone that shows the shop, with these faults.
fn shop(faults: &[&str], seed: u64) -> SimOptions {
    SimOptions {
        start: Start::App(SHOP.to_owned()),
        faults: faults
            .iter()
            .flat_map(|spec| Fault::parse_all(spec).unwrap())
            .collect(),
        seed,
        ..SimOptions::default()
    }
}

/// The number of seeds of a test: all of them only with `TESTS=all`, as `./check` sets it.
fn seeds(all: u64) -> u64 {
    let thorough = std::env::var("TESTS").is_ok_and(|tests| tests == "all");
    if thorough { all } else { all.div_ceil(3) }
}

#[test]
fn phone_survives_random_input() {
    for seed in 0..seeds(6) {
        let options = SimOptions {
            seed,
            ..SimOptions::default()
        };
        let played = play(options, 1500);
        assert!(played.journal.lines().count() > 1000, "seed {seed}");
        assert!(played.keyboards > 0, "seed {seed} never typed");
    }
}

#[test]
fn phone_survives_random_input_on_small_and_large_screens() {
    for (width, height, density) in [
        (200, 200, 0.75),
        (320, 480, 1.0),
        (2560, 1600, 2.0),
        (480, 8000, 4.0),
    ] {
        let options = SimOptions {
            screen: Size::new(width, height),
            density,
            ..SimOptions::default()
        };
        play(options, 300);
    }
}

#[test]
fn same_seed_gives_the_same_run() {
    for seed in 1..=seeds(3) {
        let first = play(shop(&["chaos 8%"], seed), 150);
        let faults = first.journal.matches("\"kind\":\"fault\"").count();
        assert!(faults > 10, "{}", first.journal);
        let again = play(shop(&["chaos 8%"], seed), 150);
        assert!(again == first, "seed {seed}");
    }
    let journal = |seed| play(shop(&["chaos 8%"], seed), 60).journal;
    assert!(journal(4) != journal(5));
}

#[test]
fn faults_that_do_not_fire_change_nothing() {
    let with = |faults: &[&str]| play(shop(faults, 9), 150);
    let never = with(&["chaos 0.00000001%"]);
    assert!(with(&["crash @100000", "freeze @9h"]) == never);
    let without = with(&[]);
    assert_eq!(never.answers, without.answers);
    assert!((never.journal, never.picture) == (without.journal, without.picture));
}

#[test]
fn faults_are_independent() {
    let first_lost = |faults: &[&str]| {
        let journal = play(shop(faults, 3), 100).journal;
        let line = journal
            .lines()
            .find(|line| line.contains("\"lose_gesture\""));
        let line: serde_json::Value = serde_json::from_str(line.unwrap()).unwrap();
        line["ms"].clone()
    };
    assert_eq!(
        first_lost(&["lose_gesture 10%"]),
        first_lost(&["banner 50%", "lose_gesture 10%"])
    );
}

#[test]
fn theme_changes_only_the_picture() {
    let with = |theme| {
        let options = SimOptions {
            theme,
            ..shop(&[], 7)
        };
        play(options, 40)
    };
    let (light, dark) = (with(ThemeChoice::Light), with(ThemeChoice::Dark));
    assert!((&light.journal, &light.answers) == (&dark.journal, &dark.answers));
    assert!(light.picture != dark.picture);
}
