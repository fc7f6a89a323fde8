//! The agent that runs on the phone, at most one at a time: it holds the only UiAutomation.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use agent_protocol::{AgentForm, ReadyLine, ScreenCapture};
use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uitree::NodeId;

/// The place of the running agent.
#[derive(Debug, Default)]
pub(crate) struct AgentSlot {
    running: Mutex<Option<Arc<RunningAgent>>>,
    /// Told whenever somebody used the phone.
    used: Notify,
}

/// A process that serves the protocol.
#[derive(Debug)]
pub(crate) struct RunningAgent {
    pub(crate) ready: ReadyLine,
    pub(crate) form: AgentForm,
    idle: Duration,
    use_of: Mutex<SlotUse>,
    pub(crate) screens: Mutex<Screens>,
    /// The rotation before the agent turned the screen first, which Android restores when it ends; `None` if it followed how
    /// the phone is held.
    pub(crate) rotation_before: OnceLock<Option<u8>>,
    /// Cancelled when the process ends.
    ended: CancellationToken,
}

/// Who is connected.
#[derive(Debug)]
struct SlotUse {
    client: bool,
    listener: bool,
    /// Since when nobody has been.
    free_since: Instant,
}

/// What a client may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Everything.
    Client,
    /// Only listen.
    Listener,
}

impl SlotUse {
    const fn place(&mut self, role: Role) -> &mut bool {
        match role {
            Role::Client => &mut self.client,
            Role::Listener => &mut self.listener,
        }
    }
}

/// The observations that the agent remembers.
#[derive(Debug, Default)]
pub(crate) struct Screens {
    /// The revision of the last one.
    pub(crate) revision: u64,
    /// The last two, the newer one last.
    pub(crate) kept: Vec<KeptScreen>,
}

/// An observation to which requests may refer.
#[derive(Clone, Debug)]
pub(crate) struct KeptScreen {
    pub(crate) revision: u64,
    pub(crate) capture: ScreenCapture,
    /// The phone's own revision of it.
    pub(crate) phone_revision: driver::Revision,
    /// The node of the phone's tree at each place; bars have none.
    pub(crate) nodes: Vec<Option<NodeId>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl AgentSlot {
    /// Puts a new agent into the slot; the one that has it is returned if there is one.
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
            use_of: Mutex::new(SlotUse {
                client: false,
                listener: false,
                free_since: Instant::now(),
            }),
            screens: Mutex::default(),
            rotation_before: OnceLock::new(),
            ended: CancellationToken::new(),
        });
        *running = Some(Arc::clone(&agent));
        Ok(agent)
    }

    /// The agent that runs.
    pub(crate) fn running(&self) -> Option<Arc<RunningAgent>> {
        let running = lock(&self.running);
        running.as_ref().filter(|agent| agent.is_alive()).cloned()
    }

    /// Ends the agent; what it left on the phone stays.
    pub(crate) fn kill(&self) -> Option<Arc<RunningAgent>> {
        let agent = lock(&self.running).take()?;
        agent.ended.cancel();
        Some(agent)
    }

    /// Somebody used the phone.
    pub(crate) fn phone_was_used(&self) {
        self.used.notify_waiters();
    }

    /// Told whenever somebody used the phone.
    pub(crate) const fn used(&self) -> &Notify {
        &self.used
    }
}

impl RunningAgent {
    /// Whether it has neither been ended nor been idle for too long.
    fn is_alive(&self) -> bool {
        if self.ended.is_cancelled() {
            return false;
        }
        let used = lock(&self.use_of);
        used.client || used.listener || used.free_since.elapsed() < self.idle
    }

    /// Lets a client in, unless there is one in this role.
    pub(crate) fn enter(self: &Arc<Self>, role: Role) -> Option<ClientGuard> {
        let mut use_of = lock(&self.use_of);
        let place = use_of.place(role);
        if std::mem::replace(place, true) {
            return None;
        }
        Some(ClientGuard {
            agent: Arc::clone(self),
            role,
        })
    }

    /// Waits for its end.
    pub(crate) async fn ended(&self) {
        self.ended.cancelled().await;
    }
}

/// A connected client; its place is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct ClientGuard {
    agent: Arc<RunningAgent>,
    role: Role,
}

impl Drop for ClientGuard {
    fn drop(&mut self) {
        let mut use_of = lock(&self.agent.use_of);
        *use_of.place(self.role) = false;
        use_of.free_since = Instant::now();
    }
}
