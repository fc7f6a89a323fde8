//! The mail app: long lists, what is done to their rows, and letters that may not be sent.

use driver::{Driver, Gesture, Key, NodeAct};
use driver_sim::{SimOptions, Start};
use uitree::State;

use crate::world::{World, bounds, run, with_id};

const MAIL: &str = "com.example.mail";

async fn subjects(world: &mut World) -> Vec<String> {
    let seen = world.see().await;
    with_id(&seen, "subject")
        .iter()
        .map(|node| node.text.to_string())
        .collect()
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

async fn write(world: &mut World, id: &str, text: &str) {
    let seen = world.see().await;
    let end = format!("{MAIL}:id/{id}");
    let field = seen
        .tree
        .ids()
        .find(|each| *seen.tree.node(*each).id == *end)
        .unwrap_or_else(|| panic!("no field {id}"));
    let act = NodeAct::SetText(text.to_owned());
    world
        .driver_act(seen.node_ref(field), act)
        .await
        .expect("a field takes text");
}

/// A letter in the screen for composing, sent.
async fn send(world: &mut World, to: &str) {
    world.tap("Compose").await;
    write(world, "to", to).await;
    write(world, "subject", "Hello").await;
    write(world, "body", "How are you?").await;
    world.tap("Send").await;
}

#[test]
fn days_head_the_mails_below_them_all_the_way_down() {
    run(async {
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
    });
}

#[test]
fn a_star_belongs_to_its_mail_and_the_drawer_finds_it() {
    run(async {
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
    });
}

#[test]
fn pulling_down_brings_a_mail_after_a_while() {
    run(async {
        let mut world = World::app(MAIL);
        world.swipe((500, 700), (500, 1700)).await;
        assert!(!world.shows("Your parcel waits for you").await);
        world.pass(1700).await;
        assert_eq!(subjects(&mut world).await[0], "Your parcel waits for you");
        world.tap("More options").await;
        world.tap("Work offline").await;
        world.swipe((500, 700), (500, 1700)).await;
        world.pass(1700).await;
        assert!(world.shows("No connection").await);
        assert_eq!(subjects(&mut world).await[0], "Your parcel waits for you");
    });
}

#[test]
fn new_mail_notifies_wherever_the_user_is() {
    run(async {
        let mut world = World::app(MAIL);
        world.key(Key::Home).await;
        world.pass(20_100).await;
        world.tap("Your parcel waits for you").await;
        assert_eq!(world.front().await, MAIL);
        assert!(world.shows("kiosk@alder-lane.example").await);
    });
}

#[test]
fn what_is_archived_or_deleted_can_be_brought_back() {
    run(async {
        let mut world = World::app(MAIL);
        world.tap("Draft of the floor plan").await;
        assert!(world.shows("nora@studio-north.example").await);
        world.tap("Archive").await;
        assert!(!world.shows("Draft of the floor plan").await);
        world.tap("Undo").await;
        assert_eq!(subjects(&mut world).await[1], "Draft of the floor plan");
        world.tap("Draft of the floor plan").await;
        world.tap("Delete").await;
        world.tap("Cancel").await;
        assert!(world.shows("nora@studio-north.example").await);
        world.tap("Delete").await;
        assert!(world.shows("It moves to Trash.").await);
        world.tap("Delete").await;
        assert!(
            !subjects(&mut world)
                .await
                .contains(&"Draft of the floor plan".to_owned())
        );
        world.pass(3000).await;
        world.tap("Open navigation drawer").await;
        world.tap("Trash").await;
        assert_eq!(subjects(&mut world).await[0], "Draft of the floor plan");
    });
}

#[test]
fn a_long_press_picks_and_the_bar_counts() {
    run(async {
        let mut world = World::app(MAIL);
        hold(&mut world, "Re: Kite festival").await;
        assert!(world.shows("1 selected").await);
        world.tap("Order 2281 is confirmed").await;
        assert!(world.shows("2 selected").await);
        let seen = world.see().await;
        let picked = with_id(&seen, "conversation");
        assert_eq!(
            picked.iter().filter(|row| row.is(State::SELECTED)).count(),
            2
        );
        world.key(Key::Back).await;
        assert!(world.shows("Search in mail").await, "back ends the picking");
        hold(&mut world, "Re: Kite festival").await;
        world.tap("Order 2281 is confirmed").await;
        world.tap("Delete").await;
        assert!(world.shows("Delete 2 messages?").await);
        world.tap("Delete").await;
        assert!(world.shows("2 moved to Trash").await);
        assert!(!world.shows("Re: Kite festival").await);
        world.tap("Undo").await;
        assert!(world.shows("Re: Kite festival").await);
    });
}

#[test]
fn reading_takes_the_mark_away_and_the_menu_puts_it_back() {
    run(async {
        let mut world = World::app(MAIL);
        hold(&mut world, "Your reserved books are ready").await;
        assert!(world.shows("Mark as read").await);
        world.tap("Done").await;
        world.tap("Your reserved books are ready").await;
        world.key(Key::Back).await;
        hold(&mut world, "Your reserved books are ready").await;
        assert!(world.shows("Mark as unread").await);
        world.tap("Mark as unread").await;
        hold(&mut world, "Your reserved books are ready").await;
        assert!(world.shows("Mark as read").await);
    });
}

#[test]
fn the_search_finds_as_it_is_typed() {
    run(async {
        let mut world = World::app(MAIL);
        world.tap("Search in mail").await;
        assert!(world.shows("Search your mail").await);
        write(&mut world, "open_search_view_edit_text", "kite").await;
        assert_eq!(
            subjects(&mut world).await,
            ["Re: Kite festival", "Kite festival"]
        );
        world.tap("Unread").await;
        assert_eq!(subjects(&mut world).await, ["Re: Kite festival"]);
        write(&mut world, "open_search_view_edit_text", "zeppelin").await;
        assert!(world.shows("No results").await);
    });
}

#[test]
fn an_address_that_is_none_is_not_written_to() {
    run(async {
        let mut world = World::app(MAIL);
        send(&mut world, "nobody").await;
        assert!(world.shows("This is no email address").await);
        world.pass(2000).await;
        assert!(world.shows("Compose").await, "it is still open");
        world.key(Key::Back).await;
        assert!(world.shows("Discard this message?").await);
        world.tap("Keep editing").await;
        world.key(Key::Back).await;
        world.tap("Save draft").await;
        world.pass(3000).await;
        world.tap("Open navigation drawer").await;
        world.tap("Drafts").await;
        assert_eq!(subjects(&mut world).await[0], "Hello");
        world.tap("Hello").await;
        assert!(world.shows("nobody").await);
        assert!(world.shows("How are you?").await);
    });
}

#[test]
fn without_a_connection_the_letter_stays() {
    run(async {
        let mut world = World::app(MAIL);
        world.tap("More options").await;
        world.tap("Work offline").await;
        send(&mut world, "nora@studio-north.example").await;
        assert!(world.shows("Sending…").await);
        world.key(Key::Back).await;
        assert!(world.shows("Sending…").await, "back waits");
        world.pass(1600).await;
        assert!(!world.shows("Sending…").await);
        assert!(world.shows("Try again").await);
        assert!(world.shows("How are you?").await);
    });
}

#[test]
fn sent_mail_is_in_sent_or_bounces() {
    run(async {
        let mut world = World::app(MAIL);
        let mut tries = 0;
        send(&mut world, "nobody@bounce.example").await;
        world.pass(1600).await;
        while world.shows("Try again").await {
            tries += 1;
            assert!(tries < 10, "nine of ten get through");
            world.tap("Try again").await;
            world.pass(1600).await;
        }
        assert!(world.shows("Message sent").await);
        assert!(!world.shows("Message could not be delivered").await);
        world.pass(9000).await;
        assert_eq!(
            subjects(&mut world).await[0],
            "Message could not be delivered"
        );
        world.tap("Open navigation drawer").await;
        world.tap("Sent").await;
        assert_eq!(subjects(&mut world).await[0], "Hello");
    });
}

#[test]
fn the_seed_decides_whether_the_server_answers() {
    let outcome = |seed: u64| {
        run(async move {
            let mut world = World::with(SimOptions {
                seed,
                start: Start::App(MAIL.to_owned()),
                ..SimOptions::default()
            });
            send(&mut world, "nora@studio-north.example").await;
            world.pass(1600).await;
            let failed = world.shows("Try again").await;
            assert_ne!(failed, world.shows("Message sent").await);
            failed
        })
    };
    let first: Vec<bool> = (0..40).map(outcome).collect();
    assert!(first.contains(&true), "one of ten fails");
    assert!(first.iter().filter(|failed| !**failed).count() > 25);
    assert_eq!(first[..5], (0..5).map(outcome).collect::<Vec<_>>()[..]);
}

#[test]
fn links_open_a_message_a_folder_and_a_letter() {
    run(async {
        let mut world = World::app(MAIL);
        world
            .open("mail://message/326")
            .await
            .expect("mail takes it");
        assert!(world.shows("tomas@paperkite.example").await);
        world
            .open("mail://message/9999")
            .await
            .expect("mail takes it");
        assert!(world.shows("Message not found").await);
        world
            .open("mail://folder/Sent")
            .await
            .expect("mail takes it");
        assert!(world.shows("Cups for the class trip").await);
        let letter = "mailto:ines@clayhouse.example?subject=Kiln";
        world.open(letter).await.expect("mail takes it");
        assert!(world.shows("ines@clayhouse.example").await);
        assert!(world.shows("Kiln").await);
    });
}

#[test]
fn swiped_mail_is_archived_and_can_be_restored() {
    run(async {
        let mut world = World::app(MAIL);
        let before = subjects(&mut world).await;
        let place = bounds(&world.node(&before[1]).await).center();
        world.swipe((900, place.y), (200, place.y)).await;
        let after = subjects(&mut world).await;
        assert!(!after.contains(&before[1]), "{after:?}");
        assert_eq!(after[0], before[0]);
        assert_eq!(after[1], before[2]);
        assert!(world.shows("1 archived").await);
        world.tap("Undo").await;
        assert_eq!(subjects(&mut world).await, before);
        // To the other side as well, and not with a short way.
        world.swipe((200, place.y), (500, place.y)).await;
        assert_eq!(subjects(&mut world).await, before);
        world.swipe((100, place.y), (900, place.y)).await;
        assert!(!subjects(&mut world).await.contains(&before[1]));
    });
}
