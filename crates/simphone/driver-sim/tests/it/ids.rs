//! Ids that change, tags of rows, and what accessibility reaches that no finger does.

use driver_sim::{AppSource, SimOptions, Start};

use crate::world::World;

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
