//! `inspect` and `selectors` on the embedded phone: results, selectors and errors.

use std::ffi::OsStr;

use serde_json::Value;

use crate::run::{Words, run};

const LOGIN: &str = "sim:../../../examples/apps/login.yaml";
const CART: &str = "sim:../../../examples/apps/cart.yaml";

/// The output of a command for the app.
#[track_caller]
fn of(device: &str, arguments: &(impl Words + ?Sized)) -> crate::run::RunOutput {
    let mut all = arguments.words();
    all.extend(["--device", device].map(OsStr::new));
    run(&all)
}

/// The first selector of the first element.
fn best(document: &Value) -> &Value {
    &document["elements"][0]["selectors"][0]
}

#[test]
fn found_element_is_clickable_by_its_selectors() {
    for (device, description) in [
        (LOGIN, "the sign in button"),
        (LOGIN, "email field"),
        (CART, "add honey"),
        ("sim", "settings"),
    ] {
        let document = of(device, &["inspect", description]).success();
        assert_eq!(document["verdict"], "certain", "{document}");
        assert_eq!(document["deviceId"], device);
        let element = &document["elements"][0];
        assert_eq!(element["visible"], true);
        let mut last = 100;
        for selector in element["selectors"].as_array().unwrap() {
            let stability = selector["stability"].as_u64().unwrap();
            assert!(stability <= last, "{document}");
            last = stability;
            assert_eq!(selector["verified"], true);
            assert_eq!(selector["matches"], 1);
            let matcher = selector["selector"].to_string();
            let clicked = of(device, &["click", "--selector", &matcher]).success();
            let data = &clicked["envelope"]["stepResults"][0]["data"];
            assert_eq!(data["match_count"], "1", "{matcher} {clicked}");
        }
    }
}

#[test]
fn text_has_three_levels() {
    let text = of(
        LOGIN,
        &["inspect", "the sign in button", "--output", "pretty"],
    );
    assert_eq!(text.exit, 0);
    expect_test::expect![[r#"
        Selector Candidates for "the sign in button":

        [1] RECOMMENDED (Stability: 95/100)
            Selector: {"resourceId":"com.example.login:id/sign_in"}
            Strategy: ID (direct reference)
            Matches: 1 element
            Element: button "Sign in" id=com.example.login:id/sign_in
            Visible: true

        [2] ALTERNATIVE (Stability: 55/100)
            Selector: {"role":"button","textEquals":"Sign in"}
            Strategy: Role + text
            Matches: 1 element
            Element: button "Sign in" id=com.example.login:id/sign_in

        Use the RECOMMENDED selector for best reliability.
    "#]]
    .assert_eq(&text.stdout);
}

#[test]
fn equal_elements_are_ambiguous() {
    let ran = of(CART, &["inspect", "add button", "--limit", "4"]);
    let document = ran.failure("ELEMENT_AMBIGUOUS");
    let details = &document["details"];
    assert_eq!(details["count"], 4, "{document}");
    let elements = details["elements"].as_array().unwrap();
    assert_eq!(elements.len(), 4);
    for element in elements {
        // The suggested addition to the description selects this one.
        let apart = element["toldApartBy"].as_str().unwrap();
        let description = format!("add button {apart}");
        let found = of(CART, &["inspect", &description]).success();
        assert_eq!(found["elements"][0]["ref"], element["ref"], "{description}");
    }
}

#[test]
fn missing_element_is_not_found() {
    let document = of(CART, &["inspect", "zebra crossing"]).failure("ELEMENT_NOT_FOUND");
    assert_eq!(document["details"]["verdict"], "not_found");
    // Unrelated elements are not listed.
    assert!(document["details"].get("elements").is_none(), "{document}");
    of(CART, &["selectors", "--text", "zebra"]).failure("ELEMENT_NOT_FOUND");
    of(CART, &["selectors", "--coordinate", "99999", "1"]).failure("ELEMENT_NOT_FOUND");
}

#[test]
fn near_accepts_text_matcher_and_id() {
    for near in ["Honey", r#"{"textEquals":"Honey"}"#] {
        let document = of(CART, &["inspect", "add button", "--near", near]).success();
        assert_eq!(
            best(&document)["selector"]["contentDescEquals"],
            "Add Honey",
            "{document}"
        );
    }
    let below = "inspect --role textfield --near #email --direction below";
    let document = of(LOGIN, below).success();
    assert_eq!(
        best(&document)["selector"]["resourceId"],
        "com.example.login:id/password"
    );
    for near in ["no such words", "#nothing", r#"{"textEquals":"nothing"}"#] {
        of(CART, &["inspect", "add button", "--near", near]).failure("REFERENCE_NOT_FOUND");
    }
    of(CART, &["inspect", "add", "--near", "{"]).failure("EXECUTION_VALIDATION_FAILED");
    of(CART, &["inspect", "add", "--near", r#"{"css":"a"}"#]).failure("SELECTOR_NOT_SUPPORTED");
}

#[test]
fn strict_stability_returns_only_stable_selectors() {
    let document = of(LOGIN, &["inspect", "sign in button", "--strict-stability"]).success();
    let selectors = document["elements"][0]["selectors"].as_array().unwrap();
    assert_eq!(selectors.len(), 1, "{document}");
    assert_eq!(selectors[0]["strategy"], "id");
    let document = of(CART, &["inspect", "add honey", "--strict-stability"])
        .failure("STABLE_SELECTOR_NOT_FOUND");
    let hint = document["hint"].as_str().unwrap();
    assert!(
        hint.contains(r#"{"contentDescEquals":"Add Honey"}"#),
        "{hint}"
    );
    of(
        CART,
        &["selectors", "--desc", "Add Honey", "--strict-stability"],
    )
    .failure("STABLE_SELECTOR_NOT_FOUND");
}

#[test]
fn selectors_lists_all_selectors() {
    let found = of(LOGIN, &["inspect", "sign in button"]).success();
    let element = &found["elements"][0];
    let reference = element["ref"].as_str().unwrap();
    let by_ref = of(LOGIN, &["selectors", "--ref", reference]).success();
    let by_id = of(
        LOGIN,
        &["selectors", "--id", "com.example.login:id/sign_in"],
    )
    .success();
    let [left, top] = {
        let bounds = element["bounds"].as_str().unwrap();
        let mut numbers = bounds
            .split(|c: char| !c.is_ascii_digit())
            .filter(|part| !part.is_empty());
        [numbers.next().unwrap(), numbers.next().unwrap()].map(|text| text.parse::<u32>().unwrap())
    };
    let (x, y) = ((left + 3).to_string(), (top + 3).to_string());
    let at = of(LOGIN, &["selectors", "--coordinate", &x, &y]).success();
    for document in [&by_ref, &by_id, &at] {
        assert_eq!(document["elements"][0]["ref"], reference, "{document}");
        assert_eq!(
            best(document)["selector"]["resourceId"],
            "com.example.login:id/sign_in"
        );
    }
    // Another element at the same position is refused.
    let (place, check) = reference.split_once('-').unwrap();
    let other = format!("{place}-{}", if check == "0000" { "0001" } else { "0000" });
    of(LOGIN, &["selectors", "--ref", &other]).failure("ELEMENT_NOT_FOUND");
    of(LOGIN, &["selectors", "--ref", "first"]).failure("EXECUTION_VALIDATION_FAILED");
    of(LOGIN, &["selectors"]).failure("MISSING_SELECTOR");
    of(LOGIN, &["selectors", "--ref", reference, "--text", "a"])
        .failure("EXECUTION_VALIDATION_FAILED");
}

#[test]
fn same_screen_gives_same_bytes() {
    let arguments = ["inspect", "add button", "--limit", "20"];
    let first = of(CART, &arguments).stdout;
    for _ in 0..3 {
        assert_eq!(of(CART, &arguments).stdout, first);
    }
}
