//! Faults together: the same seed gives the same run, and a fault that does not strike changes nothing.

use std::time::Duration;

use driver::{Cx, Driver, Gesture, Key, NodeAct, Target};
use driver_sim::journal::Passwords;
use driver_sim::{Dice, Fault, SimDriver, SimOptions, Start};
use tokio_util::sync::CancellationToken;
use uitree::{Point, State};

use crate::world::{SETTINGS, SHOP, run};

/// Does what dice say, and gives the whole truth about it: the journal, what each call answered, and a picture.
fn play(faults: &[&str], seed: u64, rounds: u32) -> (String, Vec<String>, Vec<u8>) {
    run(async {
        let mut driver = SimDriver::new(SimOptions {
            start: Start::App(SHOP.to_owned()),
            faults: faults
                .iter()
                .flat_map(|spec| Fault::parse_all(spec).unwrap())
                .collect(),
            seed,
            ..SimOptions::default()
        })
        .unwrap();
        let mut dice = Dice::new(seed, "hand");
        let mut answers = Vec::new();
        for _ in 0..rounds {
            let cx = Cx::new(Duration::from_secs(20), CancellationToken::new());
            let point = Point::new(dice.below(1080) as i32, dice.below(2340) as i32);
            let answer = match dice.below(8) {
                0 => driver.touch(&cx, &Gesture::Tap { at: point }).await,
                1 => {
                    let to = Point::new(point.x, dice.below(2340) as i32);
                    let duration = Duration::from_millis(100 + dice.below(300));
                    let from = point;
                    driver
                        .touch(
                            &cx,
                            &Gesture::Swipe {
                                from,
                                to,
                                duration,
                                rest: Duration::ZERO,
                            },
                        )
                        .await
                }
                2 => {
                    let keys = [Key::Back, Key::Home, Key::Recents, Key::Enter, Key::Power];
                    driver.key(&cx, keys[dice.below(5) as usize]).await
                }
                3 => {
                    let app = [SHOP, SETTINGS][dice.below(2) as usize].to_owned();
                    driver.open(&cx, &Target::App(app)).await
                }
                4 => {
                    tokio::time::sleep(Duration::from_millis(dice.below(900))).await;
                    Ok(())
                }
                _ => match driver.observe(&cx).await {
                    Ok(seen) => {
                        let takes = |id: &uitree::NodeId| {
                            seen.tree
                                .node(*id)
                                .state
                                .intersects(State::CLICKABLE | State::EDITABLE)
                        };
                        let all: Vec<_> = seen.tree.ids().filter(takes).collect();
                        match all.get(dice.below(all.len() as u64) as usize) {
                            Some(id) => {
                                let act = match dice.below(3) {
                                    0 => NodeAct::SetText("hunter22".to_owned()),
                                    1 => NodeAct::LongClick,
                                    _ => NodeAct::Click,
                                };
                                driver.act(&cx, seen.node_ref(*id), &act).await
                            }
                            None => Ok(()),
                        }
                    }
                    Err(error) => Err(error),
                },
            };
            answers.push(format!("{answer:?}"));
        }
        let picture = driver.phone_mut().draw().to_png();
        let journal = driver.phone().log().to_json(Passwords::ClearText);
        (journal, answers, picture)
    })
}

#[test]
fn the_same_seed_gives_the_same_run() {
    for seed in [1, 2, 3] {
        let first = play(&["chaos 8%"], seed, 150);
        assert!(
            first.0.matches("\"kind\":\"fault\"").count() > 10,
            "{}",
            first.0
        );
        assert!(play(&["chaos 8%"], seed, 150) == first, "seed {seed}");
    }
    assert!(play(&["chaos 8%"], 4, 60).0 != play(&["chaos 8%"], 5, 60).0);
}

#[test]
fn faults_that_do_not_strike_change_nothing() {
    let without = play(&[], 9, 150);
    assert!(play(&["chaos 0.00000001%"], 9, 150) == without);
    assert!(play(&["crash @100000", "freeze @9h"], 9, 150) == without);
}

#[test]
fn faults_are_independent() {
    let lost = |journal: &str| -> Vec<String> {
        let first = journal
            .lines()
            .filter(|line| line.contains("\"lose_gesture\""));
        first.take(1).map(ToOwned::to_owned).collect()
    };
    let alone = play(&["lose_gesture 10%"], 3, 100).0;
    let beside = play(&["banner 50%", "lose_gesture 10%"], 3, 100).0;
    let times = |lines: Vec<String>| -> Vec<serde_json::Value> {
        lines
            .iter()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["ms"].clone())
            .collect()
    };
    assert_eq!(times(lost(&alone)), times(lost(&beside)));
    assert_eq!(lost(&alone).len(), 1);
}
