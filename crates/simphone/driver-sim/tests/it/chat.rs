//! The chat app: content that arrives by itself, and a list that stands at its end.

use driver::{Driver, Gesture, Key, NodeAct};
use driver_sim::{SimOptions, Start};
use uitree::{Node, State};

use crate::world::{World, bounds, run};

const CHAT: &str = "com.example.chat";

/// The four answers that people who write English have.
const ANSWERS: [&str; 4] = [
    "Good idea!",
    "Let me think about it, I will write tonight.",
    "😂 I knew that you would say that",
    "Yes, that works for me.",
];

async fn tagged(world: &mut World, tag: &str) -> Option<Node> {
    let seen = world.see().await;
    let mut nodes = seen.tree.nodes().iter();
    nodes.find(|node| &*node.id == tag).cloned()
}

async fn say(world: &mut World, words: &str) {
    let seen = world.see().await;
    let field = seen
        .tree
        .ids()
        .find(|id| &*seen.tree.node(*id).id == "message")
        .expect("a conversation has a field");
    let act = NodeAct::SetText(words.to_owned());
    world
        .driver_act(seen.node_ref(field), act)
        .await
        .expect("a field takes text");
    world.tap("Send").await;
}

/// Says something until it gets through.
async fn say_surely(world: &mut World, words: &str) {
    say(world, words).await;
    world.pass(710).await;
    let mut tries = 0;
    while world.shows("Not delivered. Tap to retry").await {
        tries += 1;
        assert!(tries < 10, "eleven of twelve get through");
        world.tap("Not delivered. Tap to retry").await;
        world.pass(710).await;
    }
}

async fn hold(world: &mut World, name: &str) {
    let at = bounds(&world.node(name).await).center();
    let hold = Gesture::LongPress { at };
    world
        .driver
        .touch(&world.cx, &hold)
        .await
        .expect("it is on the screen");
}

async fn count(world: &mut World, words: &[&str]) -> usize {
    let seen = world.see().await;
    let nodes = seen.tree.nodes().iter();
    nodes
        .filter(|node| words.contains(&&*node.text) && node.is(State::VISIBLE))
        .count()
}

#[test]
fn rows_are_read_as_one_and_have_no_ids() {
    run(async {
        let mut world = World::app(CHAT);
        let seen = world.see().await;
        let ids: Vec<&str> = seen
            .tree
            .nodes()
            .iter()
            .map(|node| &*node.id)
            .filter(|id| !id.is_empty() && !id.starts_with("android:"))
            .collect();
        assert_eq!(ids, ["conversations", "new_chat"]);
        assert!(
            seen.tree
                .nodes()
                .iter()
                .any(|node| node.class.contains("ComposeView"))
        );
        assert!(world.shows("3").await, "unread messages are counted");
        world.tap("Rooftop Garden").await;
        assert!(world.shows("5 members").await);
        world.key(Key::Back).await;
        assert!(!world.shows("3").await, "they have been read");
    });
}

#[test]
fn a_conversation_opens_at_its_end_and_stays_there() {
    run(async {
        let mut world = World::app(CHAT);
        world.tap("Rooftop Garden").await;
        assert!(world.shows("See you on Saturday at ten!").await);
        assert!(!world.shows("Jump to latest").await);
        world.tap("Message").await;
        let last = bounds(&world.node("See you on Saturday at ten!").await);
        let field = bounds(&tagged(&mut world, "message").await.expect("it is there"));
        assert!(
            last.bottom < field.top,
            "the keyboard covers nothing: {last} {field}"
        );
        world.key(Key::Back).await;
        world.swipe((500, 700), (500, 1700)).await;
        assert!(world.shows("Jump to latest").await);
        assert!(!world.shows("See you on Saturday at ten!").await);
        world.tap("Jump to latest").await;
        world.rest().await;
        assert!(world.shows("See you on Saturday at ten!").await);
        assert!(!world.shows("Jump to latest").await);
    });
}

#[test]
fn an_answer_comes_after_typing() {
    run(async {
        let mut world = World::app(CHAT);
        world.tap("Nora Lindgren").await;
        say(&mut world, "Shall I bring the plan?").await;
        assert!(world.shows("Sending").await);
        assert!(world.shows("Shall I bring the plan?").await);
        world.pass(710).await;
        if world.shows("Not delivered. Tap to retry").await {
            world.tap("Not delivered. Tap to retry").await;
            world.pass(710).await;
        }
        assert!(world.shows("Typing…").await);
        assert_eq!(count(&mut world, &ANSWERS).await, 0);
        world.pass(1100).await;
        assert_eq!(count(&mut world, &ANSWERS).await, 0, "nobody is that fast");
        world.pass(2000).await;
        assert_eq!(count(&mut world, &ANSWERS).await, 1);
        assert!(!world.shows("Typing…").await);
        assert!(!world.shows("Sending").await);
    });
}

#[test]
fn answers_are_in_the_language_of_the_conversation() {
    run(async {
        let mut world = World::app(CHAT);
        world.tap("田辺 ゆき").await;
        say_surely(&mut world, "もうすぐ着くよ").await;
        world.pass(3100).await;
        let japanese = [
            "いいね！",
            "わかった、またあとで。",
            "😂 そうだと思った",
            "うん、大丈夫だよ。",
        ];
        assert_eq!(count(&mut world, &japanese).await, 1);
        world
            .open("chat://conversation/c3")
            .await
            .expect("chat takes it");
        assert!(world.shows("ليلى حداد").await);
        say_surely(&mut world, "إلى اللقاء").await;
        world.pass(3100).await;
        let arabic = [
            "فكرة جيدة!",
            "حسنا، أراك لاحقا.",
            "😂 كنت أعرف",
            "نعم، هذا يناسبني.",
        ];
        assert_eq!(count(&mut world, &arabic).await, 1);
    });
}

#[test]
fn what_did_not_get_through_can_be_tried_again() {
    run(async {
        let mut world = World::app(CHAT);
        world.tap("Ines Duarte").await;
        world.tap("More options").await;
        world.tap("Work offline").await;
        say(&mut world, "Is it still warm?").await;
        world.pass(710).await;
        assert!(world.shows("Not delivered. Tap to retry").await);
        world.pass(5000).await;
        assert_eq!(count(&mut world, &ANSWERS).await, 0);
        world.tap("More options").await;
        world.tap("Work offline").await;
        let mut tries = 0;
        while world.shows("Not delivered. Tap to retry").await {
            tries += 1;
            assert!(tries < 10, "eleven of twelve get through");
            world.tap("Not delivered. Tap to retry").await;
            assert!(world.shows("Sending").await);
            world.pass(710).await;
        }
        world.pass(3100).await;
        assert_eq!(count(&mut world, &ANSWERS).await, 1);
    });
}

#[test]
fn the_seed_decides_what_gets_through() {
    let lost = |seed: u64| {
        run(async move {
            let mut world = World::with(SimOptions {
                seed,
                start: Start::App(CHAT.to_owned()),
                ..SimOptions::default()
            });
            world.tap("Ines Duarte").await;
            say(&mut world, "Hello").await;
            world.pass(710).await;
            world.shows("Not delivered. Tap to retry").await
        })
    };
    let all: Vec<bool> = (0..50).map(lost).collect();
    let failed = all.iter().filter(|lost| **lost).count();
    assert!((1..15).contains(&failed), "{failed} of 50");
    assert_eq!(all[..5], (0..5).map(lost).collect::<Vec<_>>()[..]);
}

#[test]
fn what_arrives_elsewhere_is_counted_and_told() {
    run(async {
        let mut world = World::app(CHAT);
        world.key(Key::Home).await;
        world.pass(12_100).await;
        assert!(world.shows("Does anybody have a wheelbarrow?").await);
        world.tap("Does anybody have a wheelbarrow?").await;
        assert_eq!(world.front().await, CHAT);
        assert!(world.shows("5 members").await);
        world.key(Key::Back).await;
        assert!(world.shows("Yuki: Does anybody have a wheelbarrow?").await);
    });
}

#[test]
fn a_message_arrives_while_one_reads_further_up() {
    run(async {
        let mut world = World::app(CHAT);
        world.tap("Rooftop Garden").await;
        world.swipe((500, 700), (500, 1700)).await;
        let before = bounds(&world.node("Who has the key to the shed?").await);
        world.pass(12_000).await;
        let after = bounds(&world.node("Who has the key to the shed?").await);
        assert_eq!(before, after, "what one reads stays where it is");
        world.tap("Jump to latest").await;
        world.rest().await;
        assert!(world.shows("Does anybody have a wheelbarrow?").await);
    });
}

#[test]
fn a_message_that_is_held_has_a_menu() {
    run(async {
        let mut world = World::app(CHAT);
        world.tap("Nora Lindgren").await;
        hold(&mut world, "I knew it 😄").await;
        world.tap("Reply").await;
        assert!(world.shows("Nora: I knew it 😄").await);
        world.tap("Cancel reply").await;
        assert!(!world.shows("Nora: I knew it 😄").await);
        world.key(Key::Back).await;
        hold(&mut world, "Four is fine.").await;
        assert!(world.shows("Copy").await);
        world.tap("Delete").await;
        world.tap("Cancel").await;
        assert!(world.shows("Four is fine.").await);
        hold(&mut world, "Four is fine.").await;
        world.tap("Delete").await;
        world.tap("Delete").await;
        assert!(!world.shows("Four is fine.").await);
    });
}

#[test]
fn the_camera_is_asked_for() {
    run(async {
        let mut world = World::app(CHAT);
        world.tap("Nora Lindgren").await;
        world.tap("Attach").await;
        world.tap("Camera").await;
        assert_ne!(world.front().await, "");
        let refuse = "Don’t allow";
        let refuse = if world.shows(refuse).await {
            refuse
        } else {
            "Don't allow"
        };
        world.tap(refuse).await;
        assert!(world.shows("Chat may not use the camera").await);
        world.pass(3000).await;
        world.tap("Attach").await;
        world.tap("Camera").await;
        world.tap("While using the app").await;
        assert!(world.shows("📷 Photo").await);
    });
}

#[test]
fn switches_of_a_group_and_the_way_out() {
    run(async {
        let mut world = World::app(CHAT);
        world
            .open("chat://conversation/c1/info")
            .await
            .expect("chat takes it");
        assert!(world.shows("5 members").await);
        let on = async |world: &mut World| {
            let seen = world.see().await;
            let nodes = seen.tree.nodes().iter();
            nodes.filter(|node| node.is(State::CHECKED)).count()
        };
        assert_eq!(on(&mut world).await, 2);
        world.tap("Mute notifications").await;
        assert_eq!(on(&mut world).await, 3);
        world.tap("Read receipts").await;
        assert_eq!(on(&mut world).await, 2);
        world.swipe((500, 1900), (500, 500)).await;
        world.tap("Leave group").await;
        world.tap("Leave").await;
        assert!(world.shows("You left the group").await);
        assert!(world.shows("Book Club").await);
        assert!(!world.shows("Rooftop Garden").await);
    });
}

#[test]
fn the_search_inside_a_conversation_counts() {
    run(async {
        let mut world = World::app(CHAT);
        world.tap("Rooftop Garden").await;
        world.tap("More options").await;
        world.tap("Search").await;
        let seen = world.see().await;
        let field = seen
            .tree
            .ids()
            .find(|id| &*seen.tree.node(*id).id == "find")
            .expect("the search has a field");
        let act = NodeAct::SetText("bags".to_owned());
        world
            .driver_act(seen.node_ref(field), act)
            .await
            .expect("a field takes text");
        assert!(world.shows("2 found").await);
        assert!(!world.shows("See you on Saturday at ten!").await);
        world.tap("Close search").await;
        assert!(world.shows("See you on Saturday at ten!").await);
    });
}
