//! Flings, and touches that stop them.

use std::time::Duration;

use driver_sim::{Phone, SimOptions};
use uitree::Point;

/// Swipes, flings and pauses on the phone, with time advanced in steps of `step_ms` milliseconds.
fn play(step_ms: u64) -> (Vec<String>, Vec<String>) {
    let mut phone = Phone::start(&SimOptions::default()).expect("the phone does it");
    let mut trees = Vec::new();
    let pass = |phone: &mut Phone, millis: u64| {
        let to = phone.now() + Duration::from_millis(millis);
        while phone.now() < to {
            phone.advance_to((phone.now() + Duration::from_millis(step_ms)).min(to));
        }
    };
    phone.open_app("com.android.settings").expect("it is there");
    for (from, to, millis) in [
        (1800, 1000, 120),
        (1900, 600, 90),
        (700, 1500, 100),
        (1500, 1498, 30),
        (1900, 400, 60),
    ] {
        phone.touch_down(Point::new(540, from));
        for step in 1..=6 {
            pass(&mut phone, millis / 6);
            phone.touch_move(Point::new(540, from + (to - from) * step / 6));
        }
        phone.touch_up(Point::new(540, to));
        pass(&mut phone, 333);
        let seen = phone.observe().expect("the screen is on");
        trees.push(seen.tree.to_compact());
    }
    phone.open_uri("settings://wifi").expect("it is there");
    pass(&mut phone, 1700);
    trees.push(phone.observe().expect("it is on").tree.to_compact());
    (
        trees,
        phone.journal().iter().map(ToString::to_string).collect(),
    )
}

#[test]
fn result_is_independent_of_time_step() {
    let whole = play(10_000);
    assert!(whole.1.iter().any(|line| line.contains("fling")));
    assert!(whole.1.iter().any(|line| line.contains("why a touch")));
    for step_ms in [1, 7, 16] {
        assert_eq!(play(step_ms), whole, "in steps of {step_ms} ms");
    }
}
