//! What is chosen, and the small things around it.

use uitree::{Node, State};

use crate::world::{World, bounds, with_id};

const CHOICES: &str = r#"
state: { size: S, filter: true, level: 2, plan: Free, made: 0 }
screens:
  main:
    padding: 16
    gap: 8
    body:
      - fab: { id: new, icon: add, desc: New, on_click: { set: { made: "= made + 1" } } }
      - chips:
          id: filters
          children:
            - chip: { text: In stock, bind: filter }
            - chip: { text: Directions, icon: map, on_click: { set: { made: 10 } } }
            - chip: "ann@example.com, the first of them"
      - chips: { bind: size, options: [ S, M, { text: Extra large, value: XL, id: xl } ] }
      - radio_group: { id: plans, bind: plan, options: [ Free, { text: "Company", value: C } ] }
      - stepper: { bind: level, min: 0, max: 3, id: level }
      - row: { children: [ { avatar: "Ann Lee" }, { badge: "7" }, { divider: {}, grow: 1, id: line } ] }
      - text: "{size} {filter} {level} {plan} {made}"
        id: all
"#;

async fn all(world: &mut World) -> String {
    let seen = world.see().await;
    with_id(&seen, "all")[0].text.to_string()
}

fn flags(node: &Node) -> State {
    node.state - State::ENABLED - State::VISIBLE
}

const TAKES: State = State::CLICKABLE.union(State::FOCUSABLE);

#[tokio::test(start_paused = true)]
async fn chips_are_what_accessibility_calls_them() {
    let mut world = World::yaml(CHOICES);
    let filter = world.node("In stock").await;
    assert_eq!(&*filter.class, "android.widget.CompoundButton");
    assert_eq!(flags(&filter), TAKES | State::CHECKABLE | State::CHECKED);
    let action = world.node("Directions").await;
    assert_eq!(&*action.class, "android.widget.Button");
    assert_eq!(flags(&action), TAKES);
    let choice = world.node("M").await;
    assert_eq!(&*choice.class, "android.widget.RadioButton");
    assert_eq!(flags(&choice), TAKES | State::CHECKABLE);
    let group = &with_id(&world.see().await, "filters")[0];
    assert_eq!(&*group.class, "android.view.ViewGroup");
}

#[tokio::test(start_paused = true)]
async fn chips_filter_choose_act_and_go_away() {
    let mut world = World::yaml(CHOICES);
    world.tap("In stock").await;
    world.tap("Extra large").await;
    assert_eq!(all(&mut world).await, "XL false 2 Free 0");
    assert!(!world.node("S").await.is(State::CHECKED));
    assert!(with_id(&world.see().await, "xl")[0].is(State::CHECKED));
    world.tap("Directions").await;
    assert_eq!(all(&mut world).await, "XL false 2 Free 10");
}

#[tokio::test(start_paused = true)]
async fn chips_go_on_in_the_next_line() {
    let mut world = World::yaml(CHOICES);
    let first = bounds(&world.node("In stock").await);
    let second = bounds(&world.node("Directions").await);
    let third = bounds(&world.node("ann@example.com, the first of them").await);
    assert_eq!(first.top, second.top);
    assert_eq!(first.left, third.left);
    assert!(third.top >= first.bottom, "{third} lies below {first}");
}

#[tokio::test(start_paused = true)]
async fn a_radio_group_holds_its_buttons() {
    let mut world = World::yaml(CHOICES);
    world.tap("Company").await;
    assert_eq!(all(&mut world).await, "S true 2 C 0");
    let seen = world.see().await;
    let group = &with_id(&seen, "plans")[0];
    assert_eq!(&*group.class, "android.widget.RadioGroup");
    let checked: Vec<&str> = seen
        .tree
        .nodes()
        .iter()
        .filter(|node| &*node.class == "android.widget.RadioButton")
        .filter(|node| bounds(group).contains(bounds(node).center()))
        .filter(|node| node.is(State::CHECKED))
        .map(|node| &*node.text)
        .collect();
    assert_eq!(checked, ["Company"]);
}

#[tokio::test(start_paused = true)]
async fn a_stepper_stops_at_its_ends() {
    let mut world = World::yaml(CHOICES);
    world.tap("Increase").await;
    assert!(!world.node("Increase").await.is(State::ENABLED));
    world.tap("Increase").await;
    assert_eq!(all(&mut world).await, "S true 3 Free 0");
    for _ in 0..5 {
        world.tap("Decrease").await;
    }
    assert_eq!(all(&mut world).await, "S true 0 Free 0");
    assert!(!world.node("Decrease").await.is(State::ENABLED));
}

#[tokio::test(start_paused = true)]
async fn fab_lies_at_the_lower_end_above_content() {
    let mut world = World::yaml(CHOICES);
    let seen = world.see().await;
    let fab = &with_id(&seen, "new")[0];
    assert_eq!(&*fab.class, "android.widget.ImageButton");
    assert_eq!(&*fab.label, "New");
    assert_eq!(bounds(fab).to_string(), "[891,2007][1038,2154]");
    let last = seen.tree.nodes().last().map(|node| node.id.to_string());
    assert_eq!(last.as_deref(), Some("com.test.app:id/new"));
    world.tap("New").await;
    assert_eq!(all(&mut world).await, "S true 2 Free 1");
}

#[tokio::test(start_paused = true)]
async fn small_things_have_the_nodes_of_their_views() {
    let mut world = World::yaml(CHOICES);
    assert_eq!(
        &*world.node("Ann Lee").await.class,
        "android.widget.ImageView"
    );
    assert_eq!(&*world.node("7").await.class, "android.widget.TextView");
    let line = &with_id(&world.see().await, "line")[0];
    assert_eq!(&*line.class, "android.view.View");
    assert_eq!(bounds(line).height(), 3);
}
