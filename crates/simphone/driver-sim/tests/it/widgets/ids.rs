//! Ids that change, tags of rows, and what accessibility reaches that no finger does.

use driver::NodeAct;
use driver_sim::{AppSource, SimOptions, Start};

use crate::world::{World, with_id};

const APP: &str = r#"
state: { pressed: "" }
data: { towns: [ { town: Aalen }, { town: Bergen }, { town: Calw } ] }
screens:
  main:
    body:
      - button: { id: "?", text: Pay, on_click: { push: rows } }
      - button: { id: "?", text: Later }
      - box:
          children:
            - button: { text: Below, on_click: { set: { pressed: below } } }
            - box: { id: cover, width: "100%", height: 64, background: surface, on_click: { set: { pressed: cover } } }
      - text: { id: said, text: "{pressed}" }
  rows:
    toolkit: compose
    body: [ { list: { items: towns, row: { row: { tag: "item_{index}_{town}", on_click: pop, children: [ { text: "{town}" } ] } } } } ]
"#;

async fn id_of(world: &mut World, name: &str) -> String {
    world.node(name).await.id.to_string()
}

#[tokio::test(start_paused = true)]
async fn an_id_can_be_another_one_at_each_start() {
    let mut world = World::yaml(APP);
    let first = id_of(&mut world, "Pay").await;
    assert!(first.starts_with("com.test.app:id/v"), "{first}");
    assert_ne!(first, id_of(&mut world, "Later").await);
    // It stays as long as the app runs.
    world.tap("Pay").await;
    world.tap("Aalen").await;
    assert_eq!(id_of(&mut world, "Pay").await, first);
    world
        .driver
        .phone_mut()
        .close_app("com.test.app")
        .expect("it runs");
    world.launch("com.test.app").await;
    let second = id_of(&mut world, "Pay").await;
    assert_ne!(second, first);
    // The same phone does the same again; one with another seed does not.
    assert_eq!(id_of(&mut World::yaml(APP), "Pay").await, first);
    let yaml = format!("app: com.test.app\nstart: main\n{APP}");
    let mut other = World::with(SimOptions {
        seed: 77,
        apps: vec![AppSource::Text {
            name: "test.yaml".to_owned(),
            yaml,
        }],
        start: Start::App("com.test.app".to_owned()),
        ..SimOptions::default()
    });
    assert_ne!(id_of(&mut other, "Pay").await, first);
}

#[tokio::test(start_paused = true)]
async fn a_tag_may_depend_on_its_row() {
    let mut world = World::yaml(APP);
    world.tap("Pay").await;
    let seen = world.see().await;
    let ids: Vec<&str> = seen
        .tree
        .nodes()
        .iter()
        .map(|node| &*node.id)
        .filter(|id| id.starts_with("item_"))
        .collect();
    assert_eq!(ids, ["item_0_Aalen", "item_1_Bergen", "item_2_Calw"]);
}

#[tokio::test(start_paused = true)]
async fn accessibility_click_reaches_covered_widgets() {
    let mut world = World::yaml(APP);
    let said = async |world: &mut World| {
        let seen = world.see().await;
        with_id(&seen, "said")[0].text.to_string()
    };
    world.tap("Below").await;
    assert_eq!(said(&mut world).await, "cover");
    world.act("Below", NodeAct::Click).await;
    assert_eq!(said(&mut world).await, "below");
}
