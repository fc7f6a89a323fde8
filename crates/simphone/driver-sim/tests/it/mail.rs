//! The mail app: long lists, what is done to their rows, and letters that may not be sent.

use driver::Key;
use uitree::State;

use crate::world::{World, with_id};

const MAIL: &str = "com.example.mail";

async fn subjects(world: &mut World) -> Vec<String> {
    let seen = world.see().await;
    with_id(&seen, "subject")
        .iter()
        .map(|node| node.text.to_string())
        .collect()
}

#[tokio::test(start_paused = true)]
async fn days_head_the_mails_below_them_all_the_way_down() {
    let mut world = World::app(MAIL);
    let seen = world.see().await;
    let first = &with_id(&seen, "section")[0];
    assert_eq!(&*first.text, "Today");
    assert!(first.is(State::HEADING));
    assert_eq!(
        subjects(&mut world).await[0],
        "Your reserved books are ready"
    );
    let mut heads = vec!["Today".to_owned()];
    let mut all = subjects(&mut world).await;
    for _ in 0..40 {
        world.swipe((500, 1900), (500, 500)).await;
        let seen = world.see().await;
        for node in with_id(&seen, "section") {
            let text = node.text.to_string();
            if !heads.contains(&text) {
                heads.push(text);
            }
        }
        for subject in subjects(&mut world).await {
            if !all.contains(&subject) {
                all.push(subject);
            }
        }
    }
    assert_eq!(heads, ["Today", "Yesterday", "Older"]);
    assert!(all.len() >= 58, "{}", all.len());
    assert_eq!(all.last().map(String::as_str), Some("Reading list"));
}

#[tokio::test(start_paused = true)]
async fn a_star_belongs_to_its_mail_and_the_drawer_finds_it() {
    let mut world = World::app(MAIL);
    world.tap("Add star to Your reserved books are ready").await;
    assert!(
        world
            .shows("Remove star from Your reserved books are ready")
            .await
    );
    world.tap("Open navigation drawer").await;
    world.tap("Starred").await;
    let starred = subjects(&mut world).await;
    assert_eq!(starred[0], "Your reserved books are ready");
    assert!(!starred.contains(&"Order 2281 is confirmed".to_owned()));
    world.key(Key::Back).await;
    assert_eq!(subjects(&mut world).await[3], "Order 2281 is confirmed");
    assert_eq!(world.front().await, MAIL);
}

#[tokio::test(start_paused = true)]
async fn refreshing_brings_a_mail_after_a_while() {
    let mut world = World::app(MAIL);
    world.tap("More options").await;
    world.tap("Refresh").await;
    assert!(!world.shows("Your parcel waits for you").await);
    world.pass(1700).await;
    assert_eq!(subjects(&mut world).await[0], "Your parcel waits for you");
    world.tap("More options").await;
    world.tap("Work offline").await;
    world.tap("More options").await;
    world.tap("Refresh").await;
    world.pass(1700).await;
    assert!(world.shows("No connection").await);
    assert_eq!(subjects(&mut world).await[0], "Your parcel waits for you");
}

#[tokio::test(start_paused = true)]
async fn links_open_a_message_a_folder_and_a_letter() {
    let mut world = World::app(MAIL);
    world.open("mail://message/326").await;
    assert!(world.shows("tomas@paperkite.example").await);
    world.open("mail://message/9999").await;
    assert!(world.shows("Message not found").await);
    world.open("mail://folder/Sent").await;
    assert!(world.shows("Cups for the class trip").await);
    let letter = "mailto:ines@clayhouse.example?subject=Kiln";
    world.open(letter).await;
    assert!(world.shows("ines@clayhouse.example").await);
    assert!(world.shows("Kiln").await);
}
