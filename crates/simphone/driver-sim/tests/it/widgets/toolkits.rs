//! The same screen made with views, Jetpack Compose, Flutter and React Native.

use std::fmt::Write;

use driver::NodeAct;
use expect_test::{Expect, expect};
use uitree::{NodeId, State, UiTree};

use crate::world::{World, run};

const SCREEN: &str = r#"
state: { on: true, name: "", tab: Home, count: 0 }
screens:
  main:
    title: Toolkits
    body:
      - { text: "Welcome back", style: title, heading: true }
      - row: { on_click: { set: { count: "= count + 1" } }, children: [ { icon: star }, { text: "Points" }, { text: "{count}" } ] }
      - button: { text: Save, on_click: { set: { count: 10 } } }
      - icon_button: { name: search, desc: Search, on_click: { set: { count: 20 } } }
      - switch: { text: "Wi-Fi", bind: on, tag: wifi_switch }
      - field: { id: name, hint: Name, bind: name }
      - { image: sunset, desc: Sunset, size: 40 }
      - list: { children: [ { text: One }, { text: Two } ], height: 40, grow: 0 }
      - bottom_navigation: { bind: tab, options: [ { text: Home, icon: home }, { text: Cart, icon: cart } ] }
"#;

/// A line for each node: depth, class, flags, text, description, id.
fn lines(tree: &UiTree) -> String {
    fn flags(state: State) -> String {
        [
            (State::CLICKABLE, 'C'),
            (State::CHECKABLE, 'k'),
            (State::CHECKED, 'c'),
            (State::FOCUSABLE, 'f'),
            (State::SCROLLABLE, 's'),
            (State::LONG_CLICKABLE, 'l'),
            (State::SELECTED, 'S'),
            (State::HEADING, 'h'),
        ]
        .into_iter()
        .filter(|(flag, _)| state.contains(*flag))
        .map(|(_, letter)| letter)
        .collect()
    }
    fn add(tree: &UiTree, id: NodeId, depth: usize, to: &mut String) {
        let node = tree.node(id);
        let class = node.class.trim_start_matches("android.");
        let _never = write!(to, "{:depth$}{class}", "");
        for (sign, value) in [
            (' ', flags(node.state)),
            ('=', node.text.to_string()),
            ('~', node.label.to_string()),
            ('#', node.id.to_string()),
        ] {
            if !value.is_empty() {
                let space = if sign == ' ' { "" } else { " " };
                let _never = write!(to, "{space}{sign}{}", value.replace('\n', "|"));
            }
        }
        to.push('\n');
        for child in tree.children(id) {
            add(tree, child, depth + 1, to);
        }
    }
    let mut text = String::new();
    for window in tree.windows() {
        add(tree, window.root, 0, &mut text);
    }
    text
}

fn check(toolkit: &str, expected: &Expect) {
    run(async {
        let mut world = World::yaml(&format!("toolkit: {toolkit}\n{SCREEN}"));
        let seen = world.see().await;
        expected.assert_eq(&lines(&seen.tree));
    });
}

#[test]
fn compose_shows_what_things_do() {
    check(
        "compose",
        &expect![[r#"
        widget.FrameLayout
         widget.FrameLayout #android:id/content
          androidx.compose.ui.platform.ComposeView
           view.View
            widget.TextView =Toolkits
            widget.TextView h =Welcome back
            view.View Cf
             widget.TextView =Points
             widget.TextView =0
            view.View Cf
             widget.TextView =Save
             widget.Button
            view.View Cf
             view.View ~Search
             widget.Button
            view.View Ckcf #wifi_switch
             widget.TextView =Wi-Fi
             view.View
            widget.EditText Cfl
             widget.TextView =Name
            widget.ImageView ~Sunset
            view.View fs
             widget.TextView =One
             widget.TextView =Two
            view.View fS
             widget.TextView =Home
            view.View Cf
             widget.TextView =Cart
    "#]],
    );
}

#[test]
fn flutter_says_everything_in_descriptions() {
    check(
        "flutter",
        &expect![[r#"
        widget.FrameLayout
         widget.FrameLayout #android:id/content
          widget.FrameLayout
           widget.FrameLayout f
            view.View
             view.View
              view.View
               view.View
                view.View f ~Toolkits
                view.View fh ~Welcome back
                view.View Cf ~Points|0
                widget.Button Cf ~Save
                widget.Button Cf ~Search
                widget.Switch Ckcf ~Wi-Fi #wifi_switch
                widget.EditText Cfl
                widget.ImageView ~Sunset
                widget.ScrollView fs
                 view.View f ~One
                 view.View f ~Two
                view.View CfS ~Home|Tab 1 of 2
                view.View Cf ~Cart|Tab 2 of 2
    "#]],
    );
}

#[test]
fn react_native_shows_groups_that_say_their_words() {
    check(
        "react_native",
        &expect![[r#"
        widget.FrameLayout
         widget.FrameLayout #android:id/content
          widget.FrameLayout
           view.ViewGroup
            view.ViewGroup
             view.ViewGroup
              widget.TextView =Toolkits
             view.ViewGroup
              widget.TextView h =Welcome back
              view.ViewGroup Cf ~Points, 0
               widget.ImageView
               widget.TextView =Points
               widget.TextView =0
              widget.Button Cf ~Save
               widget.TextView =Save
              widget.Button Cf ~Search
              widget.Switch Ckcf ~Wi-Fi #wifi_switch
               widget.TextView =Wi-Fi
              widget.EditText Cfl =Name
              widget.ImageView ~Sunset
              widget.ScrollView fs
               view.ViewGroup
                widget.TextView =One
                widget.TextView =Two
              view.ViewGroup
               view.ViewGroup
                view.ViewGroup CfS ~Home
                 view.ViewGroup
                  view.ViewGroup
                  widget.ImageView
                 view.ViewGroup
                  widget.TextView =Home
                view.ViewGroup Cf ~Cart
                 view.ViewGroup
                  widget.ImageView
                 view.ViewGroup
                  widget.TextView =Cart
    "#]],
    );
}

#[tokio::test(start_paused = true)]
async fn every_toolkit_takes_the_same_presses() {
    for (toolkit, points, save, search) in [
        ("views", "Points", "Save", "Search"),
        ("compose", "Points", "Save", "Search"),
        ("flutter", "Points\n0", "Save", "Search"),
        ("react_native", "Points", "Save", "Search"),
    ] {
        let mut world = World::yaml(&format!("toolkit: {toolkit}\n{SCREEN}"));
        let count = |world: &World| {
            let changes = world.journal();
            changes.iter().filter(|line| line.contains("count")).count()
        };
        for (presses, name) in [points, save, search].into_iter().enumerate() {
            world.tap(name).await;
            assert_eq!(count(&world), presses + 1, "{toolkit}: {name}");
        }
        // The node that takes clicks takes them through accessibility as well.
        let seen = world.see().await;
        let tree = &seen.tree;
        let id = tree
            .ids()
            .filter(|id| tree.node(*id).is(State::CHECKABLE))
            .find(|id| !tree.node(*id).is(State::EDITABLE))
            .expect("there is a switch");
        assert!(tree.node(id).is(State::CHECKED));
        world
            .driver_act(seen.node_ref(id), NodeAct::Click)
            .await
            .expect("it takes clicks");
        let seen = world.see().await;
        assert!(!seen.tree.nodes().iter().any(|node| node.is(State::CHECKED)));
    }
}

#[tokio::test(start_paused = true)]
async fn one_screen_may_use_another_toolkit() {
    let mut world = World::yaml(
        r#"
toolkit: compose
screens:
  main: { body: [ { button: { text: On, on_click: { push: web } } } ] }
  web: { toolkit: flutter, body: [ { text: Hello } ] }
"#,
    );
    let has = |seen: &driver::Observation, class: &str| {
        seen.tree.nodes().iter().any(|node| &*node.class == class)
    };
    let compose = "androidx.compose.ui.platform.ComposeView";
    assert!(has(&world.see().await, compose));
    world.tap("On").await;
    assert!(!has(&world.see().await, compose));
    assert_eq!(&*world.node("Hello").await.label, "Hello");
}
