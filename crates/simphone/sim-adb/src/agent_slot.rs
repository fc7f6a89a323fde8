//! The slot of the agent: at most one runs, because the phone has one UiAutomation.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use agent_protocol::{AgentForm, ReadyLine, ScreenCapture, SentContent};
use tokio::sync::{Notify, broadcast};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uitree::NodeId;

const MAX_KEYS: usize = 256;

#[derive(Debug, Default)]
pub(crate) struct AgentSlot {
    running: Mutex<Option<Arc<RunningAgent>>>,
    used: Notify,
}

/// A process that serves the agent's protocol.
#[derive(Debug)]
pub(crate) struct RunningAgent {
    pub(crate) ready: ReadyLine,
    pub(crate) form: AgentForm,
    idle: Duration,
    clients: Mutex<SlotClients>,
    /// The observations of the client that sends requests.
    screens: Mutex<Screens>,
    /// Those of the one that listens: they replace none of the other's.
    listeners_screens: Mutex<Screens>,
    /// The codes of the keys that the client presses, with the time.
    keys: broadcast::Sender<(Instant, u32)>,
    /// The rotation before the agent first changed it, which Android restores when the agent ends; `None` if it was
    /// automatic.
    pub(crate) rotation_before: OnceLock<Option<u8>>,
    ended: CancellationToken,
}

#[derive(Debug)]
struct SlotClients {
    client: bool,
    listener: bool,
    /// When the last client left.
    free_since: Instant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Client,
    /// Receives events, and observes.
    Listener,
}

impl SlotClients {
    const fn place(&mut self, role: Role) -> &mut bool {
        match role {
            Role::Client => &mut self.client,
            Role::Listener => &mut self.listener,
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Screens {
    /// The revision of the last one.
    pub(crate) revision: u64,
    /// The last two, oldest first.
    pub(crate) kept: Vec<KeptScreen>,
    pub(crate) sent: SentContent,
}

/// An observation that requests may refer to.
#[derive(Clone, Debug)]
pub(crate) struct KeptScreen {
    pub(crate) revision: u64,
    pub(crate) capture: ScreenCapture,
    pub(crate) phone_revision: driver::Revision,
    /// The node of the phone's tree at each index; nodes of bars have none.
    pub(crate) nodes: Vec<Option<NodeId>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl AgentSlot {
    /// Starts an agent in the slot; returns the running one as an error.
    pub(crate) fn start(
        &self,
        ready: ReadyLine,
        idle: Duration,
        form: AgentForm,
    ) -> Result<Arc<RunningAgent>, Arc<RunningAgent>> {
        let mut running = lock(&self.running);
        if let Some(other) = running.as_ref().filter(|other| other.is_alive()) {
            return Err(Arc::clone(other));
        }
        let agent = Arc::new(RunningAgent {
            ready,
            form,
            idle,
            clients: Mutex::new(SlotClients {
                client: false,
                listener: false,
                free_since: Instant::now(),
            }),
            screens: Mutex::default(),
            listeners_screens: Mutex::default(),
            keys: broadcast::Sender::new(MAX_KEYS),
            rotation_before: OnceLock::new(),
            ended: CancellationToken::new(),
        });
        *running = Some(Arc::clone(&agent));
        Ok(agent)
    }

    pub(crate) fn running(&self) -> Option<Arc<RunningAgent>> {
        let running = lock(&self.running);
        running.as_ref().filter(|agent| agent.is_alive()).cloned()
    }

    /// The agent that has ended by itself, once.
    pub(crate) fn take_ended(&self) -> Option<Arc<RunningAgent>> {
        lock(&self.running).take_if(|agent| !agent.is_alive())
    }

    /// Ends the agent without cleaning up its files.
    pub(crate) fn kill(&self) -> Option<Arc<RunningAgent>> {
        let agent = lock(&self.running).take()?;
        agent.ended.cancel();
        Some(agent)
    }

    pub(crate) fn phone_was_used(&self) {
        self.used.notify_waiters();
    }

    pub(crate) const fn used(&self) -> &Notify {
        &self.used
    }
}

impl RunningAgent {
    /// Whether it has neither ended nor been idle for too long.
    fn is_alive(&self) -> bool {
        self.time_left().is_some()
    }

    /// The least time that it still runs; `None` if it has ended.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let clients = lock(&self.clients);
        let unused = match clients.client || clients.listener {
            true => Duration::ZERO,
            false => clients.free_since.elapsed(),
        };
        let left = self.idle.checked_sub(unused).filter(|left| !left.is_zero());
        left.filter(|_| !self.ended.is_cancelled())
    }

    /// Admits a client, unless this role is taken.
    pub(crate) fn enter(self: &Arc<Self>, role: Role) -> Option<ClientGuard> {
        let is_taken = std::mem::replace(lock(&self.clients).place(role), true);
        (!is_taken).then(|| ClientGuard {
            agent: Arc::clone(self),
            role,
        })
    }

    pub(crate) fn screens(&self, role: Role) -> MutexGuard<'_, Screens> {
        lock(match role {
            Role::Client => &self.screens,
            Role::Listener => &self.listeners_screens,
        })
    }

    /// Tells the client that listens of a key.
    pub(crate) fn key_was_pressed(&self, at: Instant, code: u32) {
        // Nobody may be listening.
        let _ = self.keys.send((at, code));
    }

    /// The keys that the client presses from now on, with the time.
    pub(crate) fn keys(&self) -> broadcast::Receiver<(Instant, u32)> {
        self.keys.subscribe()
    }

    pub(crate) async fn ended(&self) {
        self.ended.cancelled().await;
    }
}

/// A connected client; dropping it frees its role.
#[derive(Debug)]
pub(crate) struct ClientGuard {
    agent: Arc<RunningAgent>,
    role: Role,
}

impl Drop for ClientGuard {
    fn drop(&mut self) {
        let mut clients = lock(&self.agent.clients);
        *clients.place(self.role) = false;
        clients.free_since = Instant::now();
    }
}
