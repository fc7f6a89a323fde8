//! What the language of app files can say: styles, components, several languages, lists, work, permissions, screens.

use std::time::Duration;

use driver::{Key, NodeAct};
use driver_sim::{AppSource, Phone, SimOptions, Start};

use crate::world::{World, with_id};

fn phone(yaml: &str, seed: u64) -> Phone {
    let options = SimOptions {
        apps: vec![AppSource::Text {
            name: "test.yaml".to_owned(),
            yaml: format!("app: com.test.app\nlabel: Test\nstart: main\n{yaml}"),
        }],
        start: Start::App("com.test.app".to_owned()),
        seed,
        ..SimOptions::default()
    };
    Phone::start(&options).unwrap_or_else(|error| panic!("{error}"))
}

fn texts(phone: &mut Phone) -> Vec<String> {
    let seen = phone.observe().expect("the screen is on");
    let texts = seen.tree.nodes().iter().map(|node| node.text.to_string());
    texts.filter(|text| !text.is_empty()).collect()
}

fn click(phone: &mut Phone, name: &str) {
    let seen = phone.observe().expect("the screen is on");
    let place = seen
        .tree
        .nodes()
        .iter()
        .position(|node| &*node.text == name || &*node.label == name);
    let node = place
        .and_then(|place| seen.tree.get(place))
        .unwrap_or_else(|| panic!("nothing is called {name}"));
    phone
        .act(seen.node_ref(node), &NodeAct::Click)
        .expect("it can be pressed");
}

fn journal(phone: &Phone) -> Vec<String> {
    phone.journal().iter().map(ToString::to_string).collect()
}

#[tokio::test(start_paused = true)]
async fn widget_keys_override_style_keys() {
    let mut world = World::yaml(
        r#"styles: { tall: { style: title, height: 100, width: 200 } }
screens:
  main:
    align: start
    body:
      - { text: one, id: one, style: tall }
      - text: { text: two, id: two, style: tall, height: 50 }
      - { text: { text: three, style: tall }, id: three, height: 60 }
"#,
    );
    let seen = world.see().await;
    let size = |id: &str| {
        let bounds = with_id(&seen, id)[0].bounds.unwrap();
        (bounds.width(), bounds.height())
    };
    assert_eq!(size("one"), (525, 263));
    assert_eq!(size("two"), (525, 131));
    assert_eq!(size("three"), (525, 158));
}

#[test]
fn a_component_sees_its_parameters_wherever_it_is_used() {
    let mut phone = phone(
        r#"state: { picked: "", total: 3 }
data: { goods: [ { name: Tea, price: 2.5 }, { name: Cake, price: 4 } ] }
components:
  line:
    params: [label, amount]
    body: [ { row: [ { text: "{label}: {money(amount)}" } ] } ]
  pick:
    params: [name, list]
    body:
      - button: { id: "pick_{name}", text: "Pick {name}", on_click: { set: { picked: "{name}" } } }
      - list: { items: "{list}", row: { text: "{index}/{count(list)}" } }
screens:
  main:
    body:
      - list: { items: goods, row: { use: line, with: { label: "{name}!", amount: "= price * total" } } }
      - { use: pick, with: { name: tea, list: goods } }
      - { use: line, with: { label: picked, amount: 1 }, visible: "picked == 'tea'" }
"#,
        1,
    );
    assert_eq!(
        texts(&mut phone),
        ["Tea!: 7.50", "Cake!: 12.00", "Pick tea", "0/2", "1/2"]
    );
    let seen = phone.observe().expect("the screen is on");
    assert!(
        seen.tree
            .nodes()
            .iter()
            .any(|node| &*node.id == "com.test.app:id/pick_tea")
    );
    click(&mut phone, "Pick tea");
    assert_eq!(texts(&mut phone).last().unwrap(), "picked: 1.00");
}

#[test]
fn cached_rows_follow_the_language() {
    let mut phone = phone(
        r#"state: { name: Ann }
data: { goods: [ { n: 1 } ] }
screens:
  main:
    title: "{if(language() == 'ar-EG', 'مرحبا', 'Hello')} {name}"
    body: [ { list: { items: goods, row: { text: "{if(language() == 'ar-EG', 'صف', 'Row')} {n} {language()}" } } } ]
"#,
        1,
    );
    assert_eq!(texts(&mut phone), ["Hello Ann", "Row 1 en-US"]);
    phone.set_language("ar-EG").expect("a language");
    assert_eq!(texts(&mut phone), ["مرحبا Ann", "صف 1 ar-EG"]);
    phone.set_language("fr").expect("a language");
    assert_eq!(texts(&mut phone), ["Hello Ann", "Row 1 fr"]);
}

#[test]
fn lists_are_sorted_filtered_and_cut_and_their_entries_change() {
    let mut phone = phone(
        r#"lists:
  cart: { fields: [name, price, quantity], entries: [ { name: Tea, price: 3, quantity: 1 }, { name: Cake, price: 5, quantity: 2 }, { name: Ale, price: 4, quantity: 1 } ] }
data: { goods: [ { name: Tea }, { name: Pie } ] }
screens:
  main:
    body:
      - text: "{sum(cart, 'price * quantity')} {count(cart, 'price > 3')} {max(cart, 'price')} {join(cart, 'name', '+')}"
      - list:
          items: cart
          filter: "quantity > 0"
          sort: "-price"
          limit: 2
          row: { button: "{name} x{quantity}", on_click: [ { update: { cart: { quantity: "= quantity + 1" } } }, { update: { cart: { quantity: "= quantity + 1" } } } ] }
      - list:
          items: goods
          row:
            button: "Add {name}"
            on_click:
              if: "any(cart, 'name == outer.name')"
              then: { update: { cart: { quantity: "= quantity + 1" } }, where: "name == outer.name" }
              else: { append: { cart: { name: "{name}", price: 9, quantity: 1 } } }
      - button: { text: Drop, on_click: { remove: cart, where: "quantity > 3" } }
"#,
        1,
    );
    let head = |phone: &mut Phone| texts(phone)[0].clone();
    let rows = |phone: &mut Phone| texts(phone)[1..3].join(", ");
    assert_eq!(head(&mut phone), "17 2 5 Tea+Cake+Ale");
    assert_eq!(rows(&mut phone), "Cake x2, Ale x1");
    click(&mut phone, "Cake x2");
    assert_eq!(rows(&mut phone), "Cake x4, Ale x1");
    click(&mut phone, "Add Tea");
    assert_eq!(head(&mut phone), "30 2 5 Tea+Cake+Ale");
    click(&mut phone, "Add Pie");
    assert_eq!(head(&mut phone), "39 3 9 Tea+Cake+Ale+Pie");
    click(&mut phone, "Drop");
    assert_eq!(head(&mut phone), "19 2 9 Tea+Ale+Pie");
}

const WORK: &str = r#"state: { done: 0, failed: 0, dice: 0 }
screens:
  main:
    body:
      - button: { text: Go, on_click: { fetch: { delay: [200ms, 1.5s], fails: 30%, then: { set: { done: "= done + 1" } }, else: { set: { failed: "= failed + 1" } } } } }
      - button: { text: Late, on_click: { fetch: { delay: 3s, timeout: 1s, then: { set: { done: 99 } }, else: { set: { failed: 99 } } } } }
      - button: { text: Roll, on_click: { roll: { dice: 6 } } }
      - text: "{done} {failed} {dice}"
"#;

#[test]
fn fetch_is_deterministic() {
    let go = |seed: u64| {
        let mut phone = phone(WORK, seed);
        for _ in 0..40 {
            click(&mut phone, "Go");
            let now = phone.now();
            phone.advance_to(now + Duration::from_millis(1500));
        }
        click(&mut phone, "Roll");
        (texts(&mut phone).last().unwrap().clone(), journal(&phone))
    };
    let (first, second, other) = (go(1), go(1), go(2));
    assert_eq!(first, second);
    assert_ne!(first.1, other.1);
    let failed = first
        .1
        .iter()
        .filter(|line| line.contains("failed to fetch"))
        .count();
    assert!((4..=22).contains(&failed), "{failed}");
}

#[test]
fn fetch_fails_at_its_timeout_and_ends_with_its_app() {
    let mut phone = phone(WORK, 1);
    click(&mut phone, "Late");
    phone.advance_to(Duration::from_millis(999));
    assert_eq!(texts(&mut phone).last().unwrap(), "0 0 0");
    phone.advance_to(Duration::from_secs(1));
    assert_eq!(texts(&mut phone).last().unwrap(), "0 99 0");
    click(&mut phone, "Late");
    phone.close_app("com.test.app").unwrap();
    phone.advance_to(Duration::from_secs(10));
    assert_eq!(
        journal(&phone)
            .iter()
            .filter(|line| line.contains("fetch"))
            .count(),
        1
    );
}

#[test]
fn permission_survives_the_app() {
    let yaml = r#"state: { said: "" }
screens:
  main:
    body:
      - { text: "{if(granted('camera'), 'may', 'may not')} {said}" }
      - button: { text: Shoot, on_click: { request_permission: { name: camera, granted: { set: { said: yes } }, denied: { set: { said: no } } } } }
"#;
    let mut phone = phone(yaml, 1);
    assert_eq!(texts(&mut phone)[0], "may not ");
    click(&mut phone, "Shoot");
    assert!(texts(&mut phone)[0].starts_with("Allow Test to take pictures"));
    click(&mut phone, "Don’t allow");
    assert_eq!(texts(&mut phone)[0], "may not no");
    click(&mut phone, "Shoot");
    click(&mut phone, "While using the app");
    assert_eq!(texts(&mut phone)[0], "may yes");
    phone.close_app("com.test.app").unwrap();
    phone.open_app("com.test.app").unwrap();
    assert_eq!(texts(&mut phone)[0], "may ");
    click(&mut phone, "Shoot");
    assert_eq!(texts(&mut phone)[0], "may yes");
    let asked = journal(&phone)
        .iter()
        .filter(|line| line.contains("asks for camera"))
        .count();
    assert_eq!(asked, 2);
}

const SCREENS: &str = r#"state: { log: "", colour: none }
screens:
  main:
    title: "main {colour}"
    on_resume: { append: { log: "+main " } }
    on_pause: { append: { log: "-main " } }
    body:
      - { text: "{log}", id: log }
      - button: { text: Pick, on_click: { push: { screen: pick, with: { n: 1 } } } }
  pick:
    params: n
    title: "pick {n}"
    launch_mode: single_top
    body:
      - button: { text: Red, on_click: [ { set: { colour: red } }, pop ] }
      - button: { text: Again, on_click: { push: { screen: pick, with: { n: "= n + 1" } } } }
      - button: { text: Deeper, on_click: { push: deep } }
  deep:
    title: deep
    on_back: { toast: "Not that way" }
    body:
      - button: { text: Main, on_click: { pop_to: main } }
"#;

#[test]
fn screens_get_lifecycle_events() {
    let mut phone = phone(SCREENS, 1);
    click(&mut phone, "Pick");
    click(&mut phone, "Again");
    assert_eq!(texts(&mut phone)[0], "pick 2");
    click(&mut phone, "Red");
    assert_eq!(texts(&mut phone)[..2], ["main red", "+main -main +main "]);
    phone.go_home();
    phone.open_app("com.test.app").unwrap();
    assert_eq!(texts(&mut phone)[1], "+main -main +main -main +main ");
}

#[test]
fn the_way_back_can_be_long_short_or_closed() {
    let mut phone = phone(SCREENS, 1);
    for name in ["Pick", "Deeper"] {
        click(&mut phone, name);
    }
    phone.press_key(Key::Back);
    assert_eq!(texts(&mut phone)[0], "deep");
    assert!(
        journal(&phone)
            .iter()
            .any(|line| line.contains("Not that way"))
    );
    click(&mut phone, "Main");
    assert_eq!(texts(&mut phone)[0], "main none");
}
