//! What stays down, what is chosen, and the small things around it.

use driver::NodeAct;
use uitree::{Node, State};

use crate::world::{World, bounds, with_id};

const CHOICES: &str = r#"
state: { bold: false, size: S, filter: true, level: 2, stars: 3, mail: true, plan: Free, made: 0 }
screens:
  main:
    padding: 16
    gap: 8
    body:
      - fab: { id: new, icon: add, desc: New, on_click: { set: { made: "= made + 1" } } }
      - toggle_button: { text: Bold, bind: bold }
      - chips:
          id: filters
          children:
            - chip: { text: In stock, bind: filter }
            - chip: { text: Directions, icon: map, on_click: { set: { made: 10 } } }
            - { chip: "ann@example.com", on_close: { set: { mail: false } }, visible: mail }
      - chips: { bind: size, options: [ S, M, { text: Extra large, value: XL, id: xl } ] }
      - radio_group: { id: plans, bind: plan, options: [ Free, { text: "Company", value: C } ] }
      - rating: { bind: stars, id: stars }
      - stepper: { bind: level, min: 0, max: 3, id: level }
      - row: { children: [ { avatar: "Ann Lee" }, { badge: "7" }, { divider: {}, grow: 1, id: line } ] }
      - text: "{bold} {size} {filter} {level} {stars} {plan} {made}"
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
async fn a_toggle_button_stays_down() {
    let mut world = World::yaml(CHOICES);
    let off = world.node("Bold").await;
    assert_eq!(&*off.class, "android.widget.ToggleButton");
    assert_eq!(flags(&off), TAKES | State::CHECKABLE);
    world.tap("Bold").await;
    let on = world.node("Bold").await;
    assert_eq!(flags(&on), TAKES | State::CHECKABLE | State::CHECKED);
    assert_eq!(all(&mut world).await, "true S true 2 3 Free 0");
    world.act("Bold", NodeAct::Click).await;
    assert_eq!(all(&mut world).await, "false S true 2 3 Free 0");
}

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
    assert_eq!(all(&mut world).await, "false XL false 2 3 Free 0");
    assert!(!world.node("S").await.is(State::CHECKED));
    assert!(with_id(&world.see().await, "xl")[0].is(State::CHECKED));
    world.tap("Directions").await;
    assert_eq!(all(&mut world).await, "false XL false 2 3 Free 10");
    // A press on the words of a chip does not take it away, its cross does.
    let chip = bounds(&world.node("ann@example.com").await);
    let cross = bounds(&world.node("Remove ann@example.com").await);
    assert!(chip.contains(cross.center()));
    world
        .touch(uitree::Point::new(chip.left + 20, chip.center().y))
        .await;
    assert!(world.shows("ann@example.com").await);
    world.tap("Remove ann@example.com").await;
    assert!(!world.shows("ann@example.com").await);
}

#[tokio::test(start_paused = true)]
async fn chips_go_on_in_the_next_line() {
    let mut world = World::yaml(CHOICES);
    let first = bounds(&world.node("In stock").await);
    let second = bounds(&world.node("Directions").await);
    let third = bounds(&world.node("ann@example.com").await);
    assert_eq!(first.top, second.top);
    assert_eq!(first.left, third.left);
    assert!(third.top >= first.bottom, "{third} lies below {first}");
}

#[tokio::test(start_paused = true)]
async fn a_radio_group_holds_its_buttons() {
    let mut world = World::yaml(CHOICES);
    world.tap("Company").await;
    assert_eq!(all(&mut world).await, "false S true 2 3 C 0");
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
async fn a_touch_on_a_star_gives_that_star() {
    let mut world = World::yaml(CHOICES);
    let rating = with_id(&world.see().await, "stars")[0].clone();
    assert_eq!(&*rating.class, "android.widget.RatingBar");
    let bar = bounds(&rating);
    let inset = 26;
    let star = (bar.width() - 2 * inset) / 5;
    for wanted in 1..=5 {
        for beside in [2, star / 2, star - 2] {
            let x = bar.left + inset + (wanted - 1) * star + beside;
            world.touch(uitree::Point::new(x, bar.center().y)).await;
            let expected = format!("false S true 2 {wanted} Free 0");
            assert_eq!(all(&mut world).await, expected, "at {x}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_stepper_stops_at_its_ends() {
    let mut world = World::yaml(CHOICES);
    world.tap("Increase").await;
    assert!(!world.node("Increase").await.is(State::ENABLED));
    world.tap("Increase").await;
    assert_eq!(all(&mut world).await, "false S true 3 3 Free 0");
    for _ in 0..5 {
        world.tap("Decrease").await;
    }
    assert_eq!(all(&mut world).await, "false S true 0 3 Free 0");
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
    assert_eq!(all(&mut world).await, "false S true 2 3 Free 1");
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
