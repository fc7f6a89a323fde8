//! The chat app: content that arrives by itself, and a list that stands at its end.

use driver::{Key, NodeAct};
use uitree::{Node, State};

use crate::world::{World, bounds};

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

async fn count(world: &mut World, words: &[&str]) -> usize {
    let seen = world.see().await;
    let nodes = seen.tree.nodes().iter();
    nodes
        .filter(|node| words.contains(&&*node.text) && node.is(State::VISIBLE))
        .count()
}

#[tokio::test(start_paused = true)]
async fn rows_are_read_as_one_and_have_no_ids() {
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
}

#[tokio::test(start_paused = true)]
async fn a_conversation_opens_at_its_end_and_stays_there() {
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
}

#[tokio::test(start_paused = true)]
async fn an_answer_comes_after_typing() {
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
}

#[tokio::test(start_paused = true)]
async fn a_message_arrives_while_one_reads_further_up() {
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
}
