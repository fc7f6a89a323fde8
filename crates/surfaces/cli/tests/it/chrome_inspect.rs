//! `inspect` and `selectors` on a web page in a real browser: the selectors match the right element.

use serde_json::Value;

use crate::chrome::User;

const PAGE: &str = "<nav><a href='/cart' aria-label='Cart, 3 items'>Cart</a></nav>
<form id=login action='/login'>
<label>E-mail <input id=':r1:' name=email type=email></label>
<label>Password <input name=password type=password value=hunter2></label>
<button id=signin-button class='btn css-1x2y3z mt-4' data-testid=login-submit type=submit>Sign In</button></form>
<h2>Billing</h2><section><button class=del>Delete</button></section>
<h2>Team</h2><section><button class=del>Delete</button></section>
<p>*Required <button class=reset>Reset</button></p><p>Home > Offers <button class=reset>Reset</button></p>
<x-app></x-app><iframe name=help srcdoc=\"<a href='/faq'>Help topics</a>\"></iframe>
<script>document.querySelector('x-app').attachShadow({mode:'closed'}).innerHTML =
'<button data-testid=pay>Pay now</button><button>Other</button>'</script>";

fn first(document: &Value) -> &Value {
    &document["elements"][0]["selectors"][0]
}

#[test]
fn inspected_element_is_clickable_by_selector() {
    let user = User::new("inspect");
    // URLs contain no line breaks.
    user.open("Shop", &PAGE.replace("\n", " "));
    let ask = |arguments: &[&str]| {
        let mut all = arguments.to_vec();
        all.extend(["--device", "chrome"]);
        user.run(&all)
    };
    // Through a form, a closed shadow tree and a frame.
    for (description, css) in [
        ("the login button", "#signin-button"),
        ("pay button", "x-app >>> [data-testid=\"pay\"]"),
        ("help topics", "iframe[name=\"help\"] >>> a[href=\"/faq\"]"),
        ("email field", "input[type=\"email\"]"),
    ] {
        let found = ask(&["inspect", description]).success();
        assert_eq!(found["verdict"], "certain", "{found}");
        assert_eq!(first(&found)["selector"]["css"], css, "{found}");
        let selectors = found["elements"][0]["selectors"].as_array().unwrap();
        for selector in selectors {
            assert_eq!(selector["verified"], true, "{found}");
            assert_eq!(selector["matches"], 1, "{found}");
            // An action with the selector finds the same element.
            let matcher = selector["selector"].to_string();
            let read = ask(&["wait", "--selector", &matcher, "--timeout", "3000"]).success();
            let data = &read["envelope"]["stepResults"][0]["data"];
            assert_eq!(data["match_count"], "1", "{matcher} {read}");
        }
    }
    let pay = ask(&["inspect", "pay button"]).success();
    assert_eq!(first(&pay)["chain"][0]["into"], "closed_shadow");
    // Typed text must not appear.
    let password = ask(&["inspect", "password", "--limit", "1"]);
    assert!(!password.stdout.contains("hunter2"), "{}", password.stdout);

    let two = ask(&["inspect", "delete"]).failure("ELEMENT_AMBIGUOUS");
    let apart: Vec<&str> = two["details"]["elements"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|element| element["toldApartBy"].as_str())
        .collect();
    assert_eq!(apart.len(), 2, "{two}");
    assert_ne!(apart[0], apart[1]);

    let below = [
        "inspect",
        "sign in",
        "--near",
        "nav",
        "--direction",
        "below",
    ];
    assert_eq!(first(&ask(&below).success())["strategy"], "id");
    // Text that looks like a selector but selects nothing.
    for (text, css) in [
        ("*Required", "p:nth-of-type(1) button"),
        ("Home > Offers", "p:nth-of-type(2) button"),
    ] {
        let found = ask(&["inspect", "reset button", "--near", text]).success();
        let expected = ask(&["selectors", "--css", css]).success();
        let ids = [&found, &expected].map(|answer| &answer["elements"][0]["ref"]);
        assert_eq!(ids[0], ids[1], "{found} {expected}");
    }
    ask(&["inspect", "sign in", "--near", ".error"]).failure("REFERENCE_NOT_FOUND");
    ask(&["inspect", "sign in", "--near", "#a]["]).failure("CSS_INVALID");
    ask(&["inspect", "email field", "--strict-stability"]).failure("STABLE_SELECTOR_NOT_FOUND");
    let strict = ask(&["inspect", "--data-testid", "login-*", "--strict"]).success();
    assert_eq!(first(&strict)["selector"]["css"], "#signin-button");

    // And back: the same element by its css, its ref and a point in it.
    let element = &strict["elements"][0];
    let reference = element["ref"].as_str().unwrap();
    let numbers: Vec<u32> = element["bounds"]
        .as_str()
        .unwrap()
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|part| part.parse().ok())
        .collect();
    let (x, y) = ((numbers[0] + 3).to_string(), (numbers[1] + 3).to_string());
    for known in [
        &["selectors", "--css", "form button"][..],
        &["selectors", "--ref", reference],
        &["selectors", "--coordinate", &x, &y],
        &["selectors", "--role", "button", "--text", "Sign In"],
    ] {
        let named = ask(known).success();
        assert_eq!(named["elements"][0]["ref"], reference, "{known:?} {named}");
        assert_eq!(first(&named)["selector"]["css"], "#signin-button");
    }
    ask(&["selectors", "--css", "form button ]["]).failure("CSS_INVALID");
}

#[test]
fn invisible_element_has_working_selectors() {
    let user = User::new("sight");
    let page = "<header style='position:fixed;top:0;left:0;right:0;height:60px;background:white;z-index:9'>\
         <button id=menu>Menu</button></header>\
         <button id=under style='position:absolute;top:20px;left:300px'>Under it</button>\
         <div style='height:3000px'></div><button id=far>Far away</button>";
    user.open("Sight", page);
    let ask = |arguments: &[&str]| {
        let mut all = arguments.to_vec();
        all.extend(["--device", "chrome"]);
        user.run(&all)
    };
    for (description, why) in [
        ("Menu", ""),
        ("Under it", "covered by <header>"),
        ("Far away", "below the fold"),
    ] {
        let found = ask(&["inspect", description]).success();
        let element = &found["elements"][0];
        assert_eq!(element["visible"], why.is_empty(), "{found}");
        let reason = element["whyNotVisible"].as_str().unwrap_or_default();
        assert!(reason.starts_with(why), "{found}");
    }
    let far = ask(&["inspect", "Far away"]).success();
    for selector in far["elements"][0]["selectors"].as_array().unwrap() {
        let matcher = selector["selector"].to_string();
        user.open("Sight", page);
        ask(&["click", "--selector", &matcher]).success();
    }
}
