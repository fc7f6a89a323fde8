//! Faults that happen to the phone, and how faults are set.

use std::time::Duration;

use driver_sim::fault::{Fault, MAX};
use driver_sim::{Phone, SimOptions};
use tokio::time::Instant;

use super::notes;

#[tokio::test(start_paused = true)]
async fn a_frozen_screen_wakes_who_listens() {
    let mut world = notes(&["freeze @500ms for 3s"]);
    world.wait(600).await;
    let seen = world.see().await;
    let start = Instant::now();
    world.changed(seen.revision).await;
    assert_eq!(start.elapsed(), Duration::from_millis(2_900));
}

#[tokio::test(start_paused = true)]
async fn faults_come_while_the_phone_runs() {
    let mut world = notes(&[]);
    let phone = world.driver.phone_mut();
    let fault = phone.add_fault("lose_gesture".parse().unwrap()).unwrap();
    world.tap("Add").await;
    assert_eq!(world.count("click by"), 0);
    assert_eq!(world.driver.phone().faults().strikes(fault), 1);
}

#[tokio::test(start_paused = true)]
async fn number_of_faults_is_limited() {
    let message = "a phone has 200 faults at most, this would be 201";
    let refuse: Fault = "refuse submit".parse().unwrap();
    let Err(error) = Phone::start(&SimOptions {
        faults: vec![refuse.clone(); MAX + 1],
        ..SimOptions::default()
    }) else {
        panic!("it started");
    };
    assert!(error.to_string().contains(message), "{error}");
    let mut world = notes(&[]);
    let phone = world.driver.phone_mut();
    phone.add_fault("lose_gesture x1".parse().unwrap()).unwrap();
    for _ in 1..MAX {
        phone.add_fault(refuse.clone()).unwrap();
    }
    let error = phone.add_fault(refuse.clone()).unwrap_err();
    assert_eq!(error.to_string(), message);
    // What has struck for the last time makes room.
    world.tap("Add").await;
    let phone = world.driver.phone_mut();
    phone.add_fault(refuse.clone()).unwrap();
    assert!(phone.add_fault(refuse).is_err());
}

#[test]
fn the_guide_lists_every_fault() {
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/guides/faults.md");
    let guide = std::fs::read_to_string(&path)
        .unwrap()
        .replace("\r\n", "\n");
    let (begin, end) = ("<!-- faults -->\n", "<!-- /faults -->");
    let (head, rest) = guide.split_once(begin).unwrap();
    let (found, tail) = rest.split_once(end).unwrap();
    let expected = driver_sim::fault::reference();
    if found != expected && std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, format!("{head}{begin}{expected}{end}{tail}")).unwrap();
        return;
    }
    assert_eq!(found, expected, "UPDATE_EXPECT=1 writes it anew");
    for (word, _) in driver_sim::fault::Calls::WORDS {
        assert!(
            guide.contains(&format!("`{word}`")) || *word == "record",
            "{word}"
        );
    }
}
