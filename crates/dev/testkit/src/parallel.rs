//! Runs scenarios in parallel on phones of one real adb server.

use std::collections::{HashMap, VecDeque};
use std::future::Future;

use tokio::task::JoinSet;

use crate::{RealServer, Scenario};

/// The number of server crashes that is accepted as chance.
const MAX_CRASHES: usize = 8;

/// Runs these with at most `at_once` in parallel, and returns the results. Version 29 of the server may crash
/// with several phones (`failed to unregister fd -1 with epoll`): the interrupted ones run again with another
/// server.
pub async fn side_by_side<T, F>(
    server: &RealServer,
    scenarios: impl IntoIterator<Item = Scenario>,
    limit: usize,
    run: impl Fn(Scenario) -> F,
) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let mut pending: VecDeque<Scenario> = scenarios.into_iter().collect();
    let mut running = JoinSet::new();
    let mut scenario_of = HashMap::new();
    let mut results = Vec::new();
    let mut liveness = server.life();
    let mut crashes = 0;
    loop {
        while running.len() < limit
            && !liveness.has_ended()
            && let Some(scenario) = pending.pop_front()
        {
            let task = running.spawn(run(scenario.clone()));
            scenario_of.insert(task.id(), scenario);
        }
        let Some(finished) = running.join_next_with_id().await else {
            if !liveness.has_ended() {
                return results;
            }
            crashes += 1;
            assert!(crashes <= MAX_CRASHES, "the adb server crashed too often");
            server.restart();
            liveness = server.life();
            continue;
        };
        let id = match &finished {
            Ok((id, _)) => *id,
            Err(error) => error.id(),
        };
        match (scenario_of.remove(&id), finished) {
            (Some(scenario), _) if liveness.has_ended() => pending.push_back(scenario),
            (_, Ok((_, result))) => results.push(result),
            (_, Err(error)) => std::panic::resume_unwind(error.into_panic()),
        }
    }
}
