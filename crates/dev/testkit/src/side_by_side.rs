//! Runs scenarios in parallel on phones of one real adb server.

use std::collections::{HashMap, VecDeque};
use std::future::Future;

use tokio::task::JoinSet;

use crate::{RealServer, Scenario};

/// The number of server crashes that is accepted as chance.
const DEATHS: usize = 8;

/// Runs these with at most `at_once` in parallel, and returns the results. Version 29 of the server may crash
/// with several phones (`failed to unregister fd -1 with epoll`): the interrupted ones run again with another
/// server.
///
/// # Panics
/// If one panics while the server runs, or if the server crashes repeatedly.
pub async fn side_by_side<T, F>(
    real: &RealServer,
    scenarios: impl IntoIterator<Item = Scenario>,
    at_once: usize,
    play: impl Fn(Scenario) -> F,
) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let mut waiting: VecDeque<Scenario> = scenarios.into_iter().collect();
    let mut playing = JoinSet::new();
    let mut scenario_of = HashMap::new();
    let mut all = Vec::new();
    let mut life = real.life();
    let mut deaths = 0;
    loop {
        while playing.len() < at_once
            && !life.has_ended()
            && let Some(scenario) = waiting.pop_front()
        {
            let task = playing.spawn(play(scenario.clone()));
            scenario_of.insert(task.id(), scenario);
        }
        let Some(played) = playing.join_next_with_id().await else {
            if !life.has_ended() {
                return all;
            }
            deaths += 1;
            assert!(deaths <= DEATHS, "the adb server dies again and again");
            real.restart();
            life = real.life();
            continue;
        };
        let id = match &played {
            Ok((id, _)) => *id,
            Err(broken) => broken.id(),
        };
        match (scenario_of.remove(&id), played) {
            (Some(scenario), _) if life.has_ended() => waiting.push_back(scenario),
            (_, Ok((_, came_to))) => all.push(came_to),
            (_, Err(broken)) => std::panic::resume_unwind(broken.into_panic()),
        }
    }
}
