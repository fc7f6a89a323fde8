//! Attaching beside other clients, over a slow connection, and when the start hangs.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use adb::client::{Link, Pipe};
use agent_protocol::STATE_FILE;
use async_trait::async_trait;
use driver::DriverError;
use driver_android::AgentUnavailable;
use tokio::io::DuplexStream;

use crate::agent::{click, pid};
use crate::agent_fixture::{AgentFixture, PROGRAM, attach, phone};

/// A link that does something to the phone before it opens a service.
struct HookedLink<F> {
    phone: adb::Phone,
    hook: Mutex<F>,
}

impl<F> std::fmt::Debug for HookedLink<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HookedLink")
    }
}

#[async_trait]
impl<F: FnMut(&str) + Send> Link for HookedLink<F> {
    async fn open(&self, service: &str) -> adb::Result<Pipe> {
        (self.hook.lock().unwrap())(service);
        self.phone.open(service).await
    }

    async fn features(&self) -> adb::Result<Vec<String>> {
        Ok(vec!["shell_v2".to_owned()])
    }
}

fn hooked(fixture: &AgentFixture, hook: impl FnMut(&str) + Send + 'static) -> adb::Phone {
    adb::Phone::new(Arc::new(HookedLink {
        phone: fixture.phone.clone(),
        hook: Mutex::new(hook),
    }))
}

#[tokio::test]
async fn agent_that_another_client_starts_is_waited_for() {
    let fixture = phone().await;
    drop(fixture.attach().await);
    let started = pid(&fixture).await;
    let adb_phone = fixture.adb_phone.clone();
    let state = adb_phone.files().read(STATE_FILE).unwrap().to_vec();
    adb_phone.files().remove(STATE_FILE).unwrap();
    // The other one has written its state only when it is looked for twice after the start was refused.
    let mut looks = None;
    let late = hooked(&fixture, move |service| {
        if service.contains("app_process") {
            looks = Some(0);
        } else if let Some(looks) = looks.as_mut().filter(|_| service.contains(STATE_FILE)) {
            *looks += 1;
            if *looks == 2 {
                let state = state.clone();
                adb_phone
                    .files()
                    .write(STATE_FILE, state, 0o600, 0)
                    .unwrap();
            }
        }
    });
    let mut driver = attach(&late, &fixture.cx, PROGRAM).await.unwrap();
    click(&mut driver, &fixture).await.unwrap();
    assert_eq!(pid(&fixture).await, started);
}

#[tokio::test]
async fn client_that_leaves_is_waited_for() {
    let fixture = phone().await;
    let mut first = Some(fixture.attach().await);
    let mut looks = 0;
    let phone = hooked(&fixture, move |service| {
        looks += u32::from(service.contains(STATE_FILE));
        if looks == 2 {
            drop(first.take());
        }
    });
    let mut second = attach(&phone, &fixture.cx, PROGRAM).await.unwrap();
    click(&mut second, &fixture).await.unwrap();
}

/// A link on which some services are opened and never answer. It keeps the services.
#[derive(Debug)]
struct StuckLink {
    phone: adb::Phone,
    /// Whether a service is stuck, from those requested before.
    is_stuck: fn(&str, &[String]) -> bool,
    services: Mutex<Vec<String>>,
    far: Mutex<Vec<DuplexStream>>,
}

impl StuckLink {
    fn new(phone: &adb::Phone, is_stuck: fn(&str, &[String]) -> bool) -> Arc<Self> {
        Arc::new(Self {
            phone: phone.clone(),
            is_stuck,
            services: Mutex::default(),
            far: Mutex::default(),
        })
    }
}

#[async_trait]
impl Link for StuckLink {
    async fn open(&self, service: &str) -> adb::Result<Pipe> {
        let is_stuck = {
            let mut services = self.services.lock().unwrap();
            let is_stuck = (self.is_stuck)(service, &services);
            services.push(service.to_owned());
            is_stuck
        };
        if is_stuck {
            let (near, far) = tokio::io::duplex(16);
            self.far.lock().unwrap().push(far);
            return Ok(Box::new(near));
        }
        self.phone.open(service).await
    }

    async fn features(&self) -> adb::Result<Vec<String>> {
        Ok(vec!["shell_v2".to_owned()])
    }
}

#[tokio::test]
async fn slow_connection_is_named() {
    let fixture = phone().await;
    // The first request asks for the file, the second pushes it.
    let stuck = adb::Phone::new(StuckLink::new(&fixture.phone, |service, earlier| {
        service == "sync:" && earlier.iter().any(|earlier| earlier == "sync:")
    }));
    let short = fixture.cx.within(Duration::from_secs(1));
    let error = attach(&stuck, &short, PROGRAM).await.unwrap_err();
    let bytes = PROGRAM.dex.len();
    assert_eq!(error, AgentUnavailable::TooSlow { bytes });
}

#[tokio::test]
async fn start_that_hangs_is_ended() {
    let fixture = phone().await;
    let link = StuckLink::new(&fixture.phone, |service, _| service.contains("app_process"));
    let short = fixture.cx.within(Duration::from_secs(1));
    let error = attach(&adb::Phone::new(link.clone()), &short, PROGRAM).await;
    assert_eq!(
        error.unwrap_err(),
        AgentUnavailable::Phone(DriverError::Deadline)
    );
    let commands = link.services.lock().unwrap();
    let start = commands
        .iter()
        .position(|each| each.contains("app_process"));
    let (start, after) = commands[start.unwrap()..].split_first().unwrap();
    let (_, mark) = start.split_once("CLAWPERATOR_START=").unwrap();
    let mark: String = mark.chars().take_while(char::is_ascii_hexdigit).collect();
    assert_eq!(mark.len(), 16, "{start}");
    // Only the process with the mark of this start in its environment.
    assert!(
        matches!(after, [end] if end.contains(&format!("CLAWPERATOR_START={mark}")) && end.contains("kill -9")),
        "{after:?}"
    );
}
