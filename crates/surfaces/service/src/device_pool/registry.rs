//! The runs of a pool: unfinished ones by commandId, ended ones for a while, and requests by idempotency key.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use contract::{ErrorBody, ErrorCode, Execution};
use tokio::time::Instant;

use super::run::{Outcome, RunState};

/// How long ended runs and idempotency keys are kept.
pub(super) const RETENTION: Duration = Duration::from_secs(600);
/// The maximal number and size in bytes of ended runs that are kept.
const PLAIN: Limits = Limits {
    most: 1_000,
    bytes: 8 << 20,
};
/// The same for runs with an idempotency key.
const KEYED: Limits = Limits {
    most: 10_000,
    bytes: 32 << 20,
};
/// The maximal number of idempotency keys.
const MAX_KEYS: usize = 100_000;
/// The maximal length of a key, in bytes.
const MAX_KEY_LENGTH: usize = 255;

/// The identity of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey {
    key: String,
    /// Two hashes of the content; together they do not collide by chance.
    fingerprint: (u64, u64),
}

/// Hashes requests with random seeds, so that collisions cannot be searched for.
#[derive(Debug, Default)]
pub(super) struct KeyHasher(RandomState, RandomState);

impl KeyHasher {
    /// The identity of a request with this key and content.
    ///
    /// # Errors
    /// `INVALID_HEADER` where the key is blank or too long.
    pub(super) fn key(&self, key: &str, requested: &[&[u8]]) -> Result<IdempotencyKey, ErrorBody> {
        let visible = |byte: u8| (0x20..0x7f).contains(&byte);
        if key.trim().is_empty() || key.len() > MAX_KEY_LENGTH || !key.bytes().all(visible) {
            let message = format!(
                "invalid Idempotency-Key (expected 1 to {MAX_KEY_LENGTH} visible ASCII characters)"
            );
            return Err(ErrorBody::new(ErrorCode::InvalidHeader, message)
                .with_hint("Send a UUID, and a new one for each new request"));
        }
        Ok(IdempotencyKey {
            key: key.to_owned(),
            fingerprint: (self.0.hash_one(requested), self.1.hash_one(requested)),
        })
    }
}

/// Limits on what is kept.
#[derive(Clone, Copy, Debug)]
struct Limits {
    most: usize,
    bytes: usize,
}

/// Ended runs, the oldest first.
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

    /// The next run to drop.
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

/// The state of a key.
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

/// The result of registering a request.
#[derive(Debug)]
pub(super) enum Admission {
    New(Arc<RunState>),
    /// The run of an earlier request.
    Existing(Arc<RunState>),
}

impl Registry {
    /// Registers a plan, or finds the earlier run of the same request.
    ///
    /// # Errors
    /// `IDEMPOTENCY_KEY_REUSED`, `IDEMPOTENCY_ANSWER_GONE`, `SERVER_BUSY`.
    pub(super) fn admit(
        &mut self,
        execution: Execution,
        requested: Option<&str>,
        key: Option<&IdempotencyKey>,
    ) -> Result<Admission, ErrorBody> {
        self.evict_old(Instant::now());
        if let Some(key) = key {
            if let Some(known) = self.keys.get(&key.key) {
                if known.fingerprint != key.fingerprint {
                    let message = format!("the key {:?} was used for a different request", key.key);
                    return Err(ErrorBody::new(ErrorCode::IdempotencyKeyReused, message)
                        .with_default_hint());
                }
                return match self.runs.get(&known.run) {
                    Some(run) => Ok(Admission::Existing(Arc::clone(run))),
                    None => {
                        let message = format!(
                            "the request with the key {:?} was answered, and its answer is no longer kept",
                            key.key
                        );
                        Err(ErrorBody::new(ErrorCode::IdempotencyAnswerGone, message)
                            .with_default_hint())
                    }
                };
            }
            if self.keys.len() >= MAX_KEYS {
                let message = "too many idempotency keys are in use";
                return Err(ErrorBody::new(ErrorCode::ServerBusy, message).with_hint(
                    "Keys expire after ten minutes; send none if a repetition does no harm",
                ));
            }
        }
        self.next += 1;
        let run = Arc::new(RunState::new(
            self.next,
            Arc::new(execution),
            requested.map(Arc::from),
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

    /// Marks a run as ended. It is kept for a while, and under its key if it did anything.
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

    /// The runs with this commandId, the oldest first.
    pub(super) fn named(&mut self, command_id: &str) -> Vec<Arc<RunState>> {
        self.evict_old(Instant::now());
        let numbers = self.names.get(command_id).into_iter().flatten();
        let runs = numbers.filter_map(|number| self.runs.get(number));
        runs.cloned().collect()
    }

    /// All unfinished runs.
    pub(super) fn active(&self) -> Vec<Arc<RunState>> {
        let runs = self.runs.values();
        runs.filter(|run| run.outcome().is_none())
            .cloned()
            .collect()
    }

    /// Drops runs and keys that are too old or too many.
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
            // Usually the oldest is dropped; a commandId may have thousands of runs.
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
        let plan = testkit::plan(name, json!([{"id": "a", "type": "snapshot_ui"}]));
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
    async fn repeated_request_is_the_same_run_for_ten_minutes() {
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
    async fn run_without_effect_may_be_repeated() {
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
        // It is unknown whether the device was touched.
        let lost = Outcome::Failed(ErrorBody::new(ErrorCode::DeviceLost, "gone"));
        registry.ended(&run, Some(&key), &lost);
        let again = registry.admit(plan("one"), None, Some(&key)).unwrap();
        assert!(matches!(again, Admission::Existing(_)));
    }

    #[tokio::test(start_paused = true)]
    async fn number_of_kept_runs_is_bounded() {
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
    fn idempotency_key_is_validated() {
        let key_hasher = KeyHasher::default();
        for key in ["", " ", "é", "a\u{7}", &"k".repeat(256)] {
            let refused = key_hasher.key(key, &[]).unwrap_err();
            assert_eq!(refused.code, ErrorCode::InvalidHeader, "{key:?}");
        }
    }
}
