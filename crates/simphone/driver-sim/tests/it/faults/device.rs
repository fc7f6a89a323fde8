//! Faults that are set on a running phone, their number, and their reference.

use driver_sim::fault::{Fault, MAX};
use driver_sim::{Phone, SimOptions};

use super::notes;

#[tokio::test(start_paused = true)]
async fn fault_can_be_set_on_a_running_phone() {
    let mut fixture = notes(&[]);
    let phone = fixture.driver.phone_mut();
    let fault = phone.add_fault("lose_gesture".parse().unwrap()).unwrap();
    fixture.tap("Add").await;
    assert_eq!(fixture.count("click by"), 0);
    assert_eq!(fixture.driver.phone().faults().fired(fault), 1);
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
    let mut fixture = notes(&[]);
    let phone = fixture.driver.phone_mut();
    phone.add_fault("lose_gesture x1".parse().unwrap()).unwrap();
    for _ in 1..MAX {
        phone.add_fault(refuse.clone()).unwrap();
    }
    let error = phone.add_fault(refuse.clone()).unwrap_err();
    assert_eq!(error.to_string(), message);
    // An exhausted fault makes room.
    fixture.tap("Add").await;
    let phone = fixture.driver.phone_mut();
    phone.add_fault(refuse.clone()).unwrap();
    assert!(phone.add_fault(refuse).is_err());
}

#[test]
fn guide_lists_every_fault() {
    let expected = driver_sim::fault::reference();
    let guide = testkit::expect_guide_section("faults.md", "faults", &expected);
    for (word, _) in driver_sim::fault::Calls::WORDS {
        let named = guide.contains(&format!("`{word}`"));
        assert!(named || *word == "record", "{word}");
    }
}
