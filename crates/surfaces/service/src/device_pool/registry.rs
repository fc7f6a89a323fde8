//! The runs of a hub by their names: those under way, those that ended a while ago, and what was asked for under a key.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use contract::{ErrorBody, ErrorCode, Execution};
use tokio::time::Instant;

use super::run::{Outcome, RunState};

/// How long runs that ended are kept, and what was asked for under a key.
pub(super) const RETENTION: Duration = Duration::from_secs(600);
/// How many runs that ended are kept, and how many bytes of them.
const PLAIN: Limits = Limits {
    most: 1_000,
    bytes: 8 << 20,
};
/// The same of those that were asked for under a key.
const KEYED: Limits = Limits {
    most: 10_000,
    bytes: 32 << 20,
};
/// How many keys are known at a time.
const MOST_KEYS: usize = 100_000;
/// How long a key may be, in bytes.
const LONGEST_KEY: usize = 255;

/// What makes a request the same one when it is repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey {
    key: String,
    /// What was asked for, as two numbers that no two requests have in common by chance.
    fingerprint: (u64, u64),
}

/// Makes keys; each process has numbers of its own, so that nobody can look for requests that share them.
#[derive(Debug, Default)]
pub(super) struct KeyHasher(RandomState, RandomState);

impl KeyHasher {
    /// The key of a request, and what it asks for.
    ///
    /// # Errors
    /// `INVALID_HEADER` where the key is blank or too long.
    pub(super) fn key(&self, key: &str, asked: &[&[u8]]) -> Result<IdempotencyKey, ErrorBody> {
        let visible = |byte: u8| (0x20..0x7f).contains(&byte);
        if key.trim().is_empty() || key.len() > LONGEST_KEY || !key.bytes().all(visible) {
            let message = format!("Idempotency-Key takes 1 to {LONGEST_KEY} letters of ASCII");
            return Err(ErrorBody::new(ErrorCode::InvalidHeader, message)
                .with_hint("Send a UUID, a new one for each request that is no repetition"));
        }
        Ok(IdempotencyKey {
            key: key.to_owned(),
            fingerprint: (self.0.hash_one(asked), self.1.hash_one(asked)),
        })
    }
}

/// How much is kept.
#[derive(Clone, Copy, Debug)]
struct Limits {
    most: usize,
    bytes: usize,
}

/// Runs that ended, the oldest first.
#[derive(Debug, Default)]
struct EndedRuns {
    ended: VecDeque<(Instant, u64, usize)>,
    bytes: usize,
}

impl EndedRuns {
    fn put(&mut self, at: Instant, number: u64, weight: usize) {
        self.ended.push_back((at, number, weight));
        self.bytes += weight;
    }

    /// The next run that is not to be kept any more.
    fn evict(&mut self, now: Instant, limits: Limits) -> Option<u64> {
        let (at, number, weight) = *self.ended.front()?;
        let over = self.ended.len() > limits.most || self.bytes > limits.bytes;
        if !over && now.saturating_duration_since(at) < RETENTION {
            return None;
        }
        self.ended.pop_front();
        self.bytes = self.bytes.saturating_sub(weight);
        Some(number)
    }
}

/// What is known of a key.
#[derive(Debug)]
struct KeyedRun {
    fingerprint: (u64, u64),
    run: u64,
}

/// The runs.
#[derive(Debug, Default)]
pub(super) struct Registry {
    next: u64,
    runs: BTreeMap<u64, Arc<RunState>>,
    names: HashMap<String, VecDeque<u64>>,
    plain: EndedRuns,
    keyed: EndedRuns,
    keys: HashMap<String, KeyedRun>,
    expiring_keys: VecDeque<(Instant, String)>,
}

/// What becomes of a request.
#[derive(Debug)]
pub(super) enum Admission {
    /// It is a new run.
    New(Arc<RunState>),
    /// It is one that was asked for before.
    Existing(Arc<RunState>),
}

impl Registry {
    /// Takes a plan in, or finds the run that it was before.
    ///
    /// # Errors
    /// `IDEMPOTENCY_KEY_REUSED`, `IDEMPOTENCY_ANSWER_GONE`, `SERVER_BUSY`.
    pub(super) fn admit(
        &mut self,
        execution: Execution,
        asked: Option<&str>,
        key: Option<&IdempotencyKey>,
    ) -> Result<Admission, ErrorBody> {
        self.evict_old(Instant::now());
        if let Some(key) = key {
            if let Some(known) = self.keys.get(&key.key) {
                if known.fingerprint != key.fingerprint {
                    let message = format!("the key {:?} was used for another request", key.key);
                    return Err(ErrorBody::new(ErrorCode::IdempotencyKeyReused, message)
                        .with_default_hint());
                }
                return match self.runs.get(&known.run) {
                    Some(run) => Ok(Admission::Existing(Arc::clone(run))),
                    None => {
                        let message = format!(
                            "the request with the key {:?} was answered, and the answer is not kept any more",
                            key.key
                        );
                        Err(ErrorBody::new(ErrorCode::IdempotencyAnswerGone, message)
                            .with_default_hint())
                    }
                };
            }
            if self.keys.len() >= MOST_KEYS {
                let message = "more keys are in use than are kept";
                return Err(ErrorBody::new(ErrorCode::ServerBusy, message).with_hint(
                    "A key is kept for ten minutes; leave it out where repeating does no harm",
                ));
            }
        }
        self.next += 1;
        let run = Arc::new(RunState::new(
            self.next,
            Arc::new(execution),
            asked.map(Arc::from),
        ));
        if let Some(key) = key {
            let known = KeyedRun {
                fingerprint: key.fingerprint,
                run: run.number,
            };
            self.keys.insert(key.key.clone(), known);
        }
        self.names
            .entry(run.execution.command_id().to_owned())
            .or_default()
            .push_back(run.number);
        self.runs.insert(run.number, Arc::clone(&run));
        Ok(Admission::New(run))
    }

    /// Notes that a run has ended: it is kept for a while, and under its key where something was done.
    pub(super) fn ended(
        &mut self,
        run: &RunState,
        key: Option<&IdempotencyKey>,
        outcome: &Outcome,
    ) {
        let now = Instant::now();
        let weight = 1024 + outcome.weight();
        match key {
            Some(key) if !run.had_no_effect(outcome) => {
                self.keyed.put(now, run.number, weight);
                self.expiring_keys.push_back((now, key.key.clone()));
            }
            Some(key) => {
                self.keys.remove(&key.key);
                self.plain.put(now, run.number, weight);
            }
            None => self.plain.put(now, run.number, weight),
        }
        self.evict_old(now);
    }

    /// The runs with this name, the oldest first.
    pub(super) fn named(&mut self, command_id: &str) -> Vec<Arc<RunState>> {
        self.evict_old(Instant::now());
        let numbers = self.names.get(command_id).into_iter().flatten();
        let runs = numbers.filter_map(|number| self.runs.get(number));
        runs.cloned().collect()
    }

    /// Every run that has not ended.
    pub(super) fn active(&self) -> Vec<Arc<RunState>> {
        let runs = self.runs.values();
        runs.filter(|run| run.outcome().is_none())
            .cloned()
            .collect()
    }

    /// Lets go of what is old or too much.
    fn evict_old(&mut self, now: Instant) {
        while let Some(number) = self.plain.evict(now, PLAIN) {
            self.drop_run(number);
        }
        while let Some(number) = self.keyed.evict(now, KEYED) {
            self.drop_run(number);
        }
        while let Some((at, _)) = self.expiring_keys.front()
            && now.saturating_duration_since(*at) >= RETENTION
        {
            if let Some((_, key)) = self.expiring_keys.pop_front() {
                self.keys.remove(&key);
            }
        }
    }

    fn drop_run(&mut self, number: u64) {
        let Some(run) = self.runs.remove(&number) else {
            return;
        };
        let name = run.execution.command_id();
        if let Some(numbers) = self.names.get_mut(name) {
            // Mostly the oldest goes first; a name may have thousands of runs.
            if numbers.front() == Some(&number) {
                numbers.pop_front();
            } else {
                numbers.retain(|other| *other != number);
            }
            if numbers.is_empty() {
                self.names.remove(name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::{DeviceAnswer, ResultEnvelope};
    use serde_json::json;

    fn plan(name: &str) -> Execution {
        let plan = json!({
            "commandId": name, "taskId": "t", "source": "test",
            "expectedFormat": "android-ui-automator", "timeoutMs": 1000,
            "actions": [{"id": "a", "type": "snapshot_ui"}],
        });
        Execution::from_value(&plan).unwrap().execution
    }

    fn new(registry: &mut Registry, name: &str, key: Option<&IdempotencyKey>) -> Arc<RunState> {
        match registry.admit(plan(name), None, key).unwrap() {
            Admission::New(run) => run,
            Admission::Existing(_) => panic!("{name} is not new"),
        }
    }

    fn done(registry: &mut Registry, run: &RunState, key: Option<&IdempotencyKey>) {
        let envelope = ResultEnvelope::from_steps(&run.execution, Vec::new());
        let outcome = Outcome::Answer(DeviceAnswer::canonical(envelope, "sim", Vec::new()));
        registry.ended(run, key, &outcome);
        run.ends(Arc::new(outcome));
    }

    #[tokio::test(start_paused = true)]
    async fn a_repetition_is_the_same_run_for_ten_minutes_and_a_new_one_then() {
        let (key_hasher, mut registry) = (KeyHasher::default(), Registry::default());
        let key = key_hasher.key("k", &[b"body"]).unwrap();
        let other = key_hasher.key("k", &[b"other"]).unwrap();
        let run = new(&mut registry, "one", Some(&key));
        let again = registry.admit(plan("two"), None, Some(&key)).unwrap();
        assert!(matches!(again, Admission::Existing(again) if again.number == run.number));
        done(&mut registry, &run, Some(&key));
        tokio::time::advance(RETENTION - Duration::from_millis(1)).await;
        let again = registry.admit(plan("two"), None, Some(&key)).unwrap();
        assert!(matches!(again, Admission::Existing(again) if again.number == run.number));
        let refused = registry.admit(plan("two"), None, Some(&other)).unwrap_err();
        assert_eq!(refused.code, ErrorCode::IdempotencyKeyReused);
        tokio::time::advance(Duration::from_millis(1)).await;
        new(&mut registry, "two", Some(&other));
    }

    #[tokio::test(start_paused = true)]
    async fn what_came_to_nothing_may_be_asked_for_again() {
        let (key_hasher, mut registry) = (KeyHasher::default(), Registry::default());
        let key = key_hasher.key("k", &[b"body"]).unwrap();
        for _ in 0..2 {
            let run = new(&mut registry, "one", Some(&key));
            let refused = ErrorBody::new(ErrorCode::ExecutionConflictInFlight, "busy");
            let refused = Outcome::Failed(refused);
            registry.ended(&run, Some(&key), &refused);
            run.ends(Arc::new(refused));
        }
        let run = new(&mut registry, "one", Some(&key));
        // Whether the device was touched is not known.
        let lost = Outcome::Failed(ErrorBody::new(ErrorCode::DeviceLost, "gone"));
        registry.ended(&run, Some(&key), &lost);
        let again = registry.admit(plan("one"), None, Some(&key)).unwrap();
        assert!(matches!(again, Admission::Existing(_)));
    }

    #[tokio::test(start_paused = true)]
    async fn many_runs_stay_few() {
        let (key_hasher, mut registry) = (KeyHasher::default(), Registry::default());
        let first = key_hasher.key("k-0", &[b"body"]).unwrap();
        for number in 0..KEYED.most + 1 {
            let key = key_hasher.key(&format!("k-{number}"), &[b"body"]).unwrap();
            let run = new(&mut registry, "keyed", Some(&key));
            done(&mut registry, &run, Some(&key));
            let run = new(&mut registry, &format!("run-{number}"), None);
            done(&mut registry, &run, None);
        }
        assert_eq!(registry.keyed.ended.len(), KEYED.most);
        assert_eq!(registry.plain.ended.len(), PLAIN.most);
        assert_eq!(registry.runs.len(), KEYED.most + PLAIN.most);
        assert_eq!(registry.names.len(), PLAIN.most + 1);
        assert_eq!(registry.named("run-0").len(), 0);
        // It was done, and is not done again.
        let gone = registry
            .admit(plan("keyed"), None, Some(&first))
            .unwrap_err();
        assert_eq!(gone.code, ErrorCode::IdempotencyAnswerGone);
        tokio::time::advance(RETENTION).await;
        registry.evict_old(Instant::now());
        assert_eq!((registry.runs.len(), registry.keys.len()), (0, 0));
        assert!(registry.names.is_empty());
    }

    #[test]
    fn a_key_is_short_and_visible() {
        let key_hasher = KeyHasher::default();
        for key in ["", " ", "é", "a\u{7}", &"k".repeat(256)] {
            let refused = key_hasher.key(key, &[]).unwrap_err();
            assert_eq!(refused.code, ErrorCode::InvalidHeader, "{key:?}");
        }
    }
}
