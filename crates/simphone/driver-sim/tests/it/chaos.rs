//! Whatever is done to the phone, it goes on: thousands of random inputs, the same ones every time.

use std::time::Duration;

use driver::{Key, NodeAct};
use driver_sim::{Dice, Phone, SimOptions};
use uitree::{Point, State, WindowKind};

fn point(dice: &mut Dice) -> Point {
    // Now and then beside the screen.
    Point::new(dice.below(1120) as i32 - 20, dice.below(2400) as i32 - 30)
}

fn pick<T: Copy>(dice: &mut Dice, from: &[T]) -> T {
    from[dice.below(from.len() as u64) as usize]
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

fn step(phone: &mut Phone, dice: &mut Dice) {
    match dice.below(20) {
        0..=3 => {
            let at = point(dice);
            phone.tap(at);
        }
        4..=6 => {
            phone.touch_down(point(dice));
            for _ in 0..dice.below(4) {
                let to = phone.now() + Duration::from_millis(dice.below(300));
                phone.advance_to(to);
                phone.touch_move(point(dice));
            }
            if dice.below(5) > 0 {
                phone.touch_up(point(dice));
            }
        }
        7..=8 => phone.press_key(pick(dice, &KEYS)),
        9 => {
            // Refusals are as good as successes here.
            let _ = phone.open_app(pick(dice, &APPS));
        }
        10 => {
            let _ = phone.open_uri(pick(dice, &URIS));
        }
        11 if dice.below(6) == 0 => {
            let _ = phone.close_app(pick(dice, &APPS));
        }
        12 => phone.type_text(pick(dice, &TEXTS)),
        13 => {
            let to = phone.now() + Duration::from_millis(dice.below(2000));
            phone.advance_to(to);
        }
        _ => {
            let Some(seen) = phone.observe() else {
                phone.press_key(Key::Power);
                return;
            };
            let wanted = if dice.below(4) == 0 {
                State::ENABLED
            } else {
                State::CLICKABLE
            };
            let nodes: Vec<_> = seen
                .tree
                .ids()
                .filter(|id| seen.tree.node(*id).is(wanted))
                .collect();
            if nodes.is_empty() {
                return;
            }
            let node = seen.node_ref(pick(dice, &nodes));
            let act = match dice.below(8) {
                0 => NodeAct::LongClick,
                1 => NodeAct::Focus,
                2 => NodeAct::Submit,
                3 => NodeAct::SetText(pick(dice, &TEXTS).to_owned()),
                4 => NodeAct::AppendText(pick(dice, &TEXTS).to_owned()),
                _ => NodeAct::Click,
            };
            let _ = phone.act(node, &act);
        }
    }
}

/// Checks what holds of every screen; whether the keyboard is on it.
fn check(phone: &mut Phone) -> bool {
    let Some(seen) = phone.observe() else {
        return false;
    };
    assert!(!seen.tree.nodes().is_empty());
    assert!(seen.foreground.is_some());
    let active: Vec<_> = seen.windows.iter().filter(|window| window.active).collect();
    assert_eq!(active.len(), 1);
    assert!(seen.tree.windows()[0].active);
    let focused = seen
        .tree
        .nodes()
        .iter()
        .filter(|node| node.is(State::FOCUSED))
        .count();
    assert!(focused <= 1, "{focused} nodes have the focus");
    let windows = seen.tree.windows();
    let keyboard = windows
        .iter()
        .any(|window| window.kind == WindowKind::InputMethod);
    if keyboard {
        // The field has the focus, and is in the focused window.
        let end = windows
            .get(1)
            .map_or(seen.tree.nodes().len(), |next| next.root.index());
        let fields = seen
            .tree
            .nodes()
            .iter()
            .take(end)
            .filter(|node| node.is(State::FOCUSED) && node.is(State::EDITABLE))
            .count();
        assert_eq!(fields, 1, "fields that the keyboard writes into");
    }
    keyboard
}

#[test]
fn no_sequence_of_inputs_breaks_the_phone() {
    for seed in 0..6 {
        let mut dice = Dice::new(seed, "hand");
        let mut phone = Phone::start(&SimOptions::default()).unwrap();
        let mut revision = 0;
        let mut keyboards = 0;
        for _ in 0..1500 {
            step(&mut phone, &mut dice);
            keyboards += usize::from(check(&mut phone));
            assert!(phone.revision() >= revision);
            revision = phone.revision();
        }
        assert!(phone.journal().len() > 1000, "seed {seed} did too little");
        assert!(keyboards > 0, "seed {seed} never typed");
        let picture = phone.draw();
        assert_eq!(picture.rgba.len(), 1080 * 2340 * 4);
    }
}

#[test]
fn small_and_large_screens_work_too() {
    for (width, height, density) in [
        (200, 200, 0.75),
        (320, 480, 1.0),
        (2560, 1600, 2.0),
        (480, 8000, 4.0),
    ] {
        let mut dice = Dice::new(u64::try_from(width).unwrap(), "hand");
        let mut phone = Phone::start(&SimOptions {
            screen: uitree::Size::new(width, height),
            density,
            ..SimOptions::default()
        })
        .unwrap();
        for _ in 0..300 {
            step(&mut phone, &mut dice);
            check(&mut phone);
        }
        phone.draw();
    }
}
