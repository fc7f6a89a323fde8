//! The process with the widgets, and drivers connected to it.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use driver::{ActOutcome, Cx, Driver, DriverError, NodeAct, NodeRef, Observation};
use driver_android::{AgentDriver, AgentForm, Profile};
use serde_json::Value;
use sim_adb::AdbPhone;
use testkit::conformance::{
    Break, ClickMethod, Containers, Device, DeviceFactory, DriverTraits, PACKAGE, Pictures, Text,
};
use testkit::{Widgets, connect_agent};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;
use uitree::{Query, Role, Size, UiTree};

use crate::relay::{self, NextBreak};
use crate::sim_phone;
use crate::system::{self, System};

/// Timeout of everything on a screen.
const PATIENCE: Duration = Duration::from_secs(180);
/// The pause before an incomplete screen is read again, or a connection tried again.
const RETRY: Duration = Duration::from_millis(20);

/// A process with widgets.
pub(crate) struct Process {
    widgets: Arc<Mutex<Widgets>>,
    pub(crate) form: AgentForm,
    pub(crate) sdk: u32,
}

/// An app on it, and its driver.
pub(crate) struct Harness {
    pub(crate) driver: AgentDriver,
    pub(crate) cx: Cx,
    widgets: Arc<Mutex<Widgets>>,
    phone: adb::Phone,
    adb_phone: AdbPhone,
    profile: Profile,
    breaks: NextBreak,
}

fn patient() -> Cx {
    Cx::new(PATIENCE, CancellationToken::new())
}

/// A driver of the widgets. The agent lets a client in when the one before has left.
async fn connect(
    widgets: &Mutex<Widgets>,
    phone: &adb::Phone,
    profile: &Profile,
    breaks: &NextBreak,
) -> AgentDriver {
    let (port, token) = {
        let widgets = widgets.lock().await;
        (widgets.port(), widgets.token().to_vec())
    };
    let cx = patient();
    loop {
        let stream = relay::stream(connect_agent(port).await, breaks.clone());
        let driver =
            AgentDriver::over("harness", phone.clone(), profile.clone(), stream, &token).await;
        match driver {
            Ok(driver) => return driver,
            Err(busy) => assert_eq!(cx.sleep(RETRY).await, Ok(()), "{busy}"),
        }
    }
}

impl Process {
    /// Starts it with the framework of an API level.
    pub(crate) async fn start(form: AgentForm, sdk: u32) -> Self {
        let name = match form {
            AgentForm::Agent => "agent",
            AgentForm::App => "app",
        };
        Self {
            widgets: Arc::new(Mutex::new(Widgets::start(name, sdk).await)),
            form,
            sdk,
        }
    }

    /// The screens with lists of a thousand rows, and the first word of a row. The framework's own recycler came later than lists.
    pub(crate) const fn long_lists(&self) -> &'static [(&'static str, &'static str)] {
        match self.sdk {
            28.. => &[("list", "Row"), ("recycler", "Rec")],
            _ => &[("list", "Row")],
        }
    }

    /// Shows what an order says, and connects to it.
    pub(crate) async fn show(&mut self, order: &str) -> Harness {
        self.widgets.lock().await.order(order).await;
        let (link, adb_phone) = system::phone().await;
        let phone = adb::Phone::new(Arc::new(System {
            link,
            adb_phone: adb_phone.clone(),
            widgets: self.widgets.clone(),
        }));
        let (width, height) = Widgets::SCREEN;
        let profile = Profile {
            model: "harness".to_owned(),
            release: "of the harness".to_owned(),
            sdk: self.sdk,
            screen: Size::new(width, height),
            density: 480,
        };
        let breaks = NextBreak::default();
        let mut harness = Harness {
            driver: connect(&self.widgets, &phone, &profile, &breaks).await,
            cx: patient(),
            widgets: self.widgets.clone(),
            phone,
            adb_phone,
            profile,
            breaks,
        };
        if !order.ends_with("restless") {
            harness.rest().await;
        }
        harness
    }
}

#[async_trait]
impl Device for Harness {
    fn driver(&mut self) -> &mut dyn Driver {
        &mut self.driver
    }

    fn abilities(&self) -> DriverTraits {
        DriverTraits {
            containers: Containers::Native,
            pictures: match (self.driver.form(), self.profile.sdk) {
                // The process has no graphics memory, in which an accessibility service gets pictures.
                (AgentForm::App, 30..) => Pictures::Refused,
                (AgentForm::App | AgentForm::Agent, _) => Pictures::Taken,
            },
            ..DriverTraits::of_phone(Text::Any, ClickMethod::ByFinger)
        }
    }

    /// That of the simulated phone, for what a shell does, and that of the widgets.
    async fn journal(&mut self) -> Vec<Value> {
        let mut entries = sim_phone::journal(&self.adb_phone).await;
        entries.extend(self.widgets.lock().await.journal().await);
        entries
    }

    async fn break_next(&mut self, when: Break) {
        *self.breaks.lock().unwrap() = Some(when);
    }

    async fn repair(&mut self) {
        self.driver = connect(&self.widgets, &self.phone, &self.profile, &self.breaks).await;
    }
}

#[async_trait]
impl DeviceFactory for Process {
    async fn device(&mut self) -> Box<dyn Device> {
        Box::new(self.show(&format!("app {PACKAGE}")).await)
    }
}

impl Harness {
    /// The phone with the widgets.
    pub(crate) const fn phone(&self) -> &adb::Phone {
        &self.phone
    }

    /// The current screen.
    pub(crate) async fn observe(&mut self) -> Observation {
        loop {
            match self.driver.observe(&self.cx).await {
                // A window that comes or goes.
                Err(DriverError::Incomplete(_)) => self.cx.sleep(RETRY).await.unwrap(),
                seen => return seen.unwrap(),
            }
        }
    }

    /// Waits until no change is reported any more.
    pub(crate) async fn rest(&mut self) {
        loop {
            let seen = self.observe().await;
            let short = self.cx.within(Duration::from_millis(200));
            match self.driver.changed(&short, seen.revision).await {
                Ok(()) => self.cx.check().unwrap(),
                Err(end) => return assert_eq!(end, DriverError::Deadline),
            }
        }
    }

    /// Waits until the screen has something.
    pub(crate) async fn until(
        &mut self,
        what: &str,
        is_met: impl Fn(&UiTree) -> bool,
    ) -> Observation {
        let cx = self.cx.within(Duration::from_secs(20));
        loop {
            let seen = self.observe().await;
            if is_met(&seen.tree) {
                return seen;
            }
            if let Err(error) = self.driver.changed(&cx, seen.revision).await {
                panic!("no {what} ({error}) in\n{}", seen.tree.to_notation());
            }
        }
    }

    /// Waits until a node has this text.
    pub(crate) async fn text(&mut self, text: &str) -> (Observation, NodeRef) {
        let query = Query::new().text(text);
        let seen = self.until(text, |tree| tree.find(&query).is_some()).await;
        let node = seen.node_ref(seen.tree.find(&query).unwrap());
        (seen, node)
    }

    /// The switch. Android 6 appends its state to its text.
    pub(crate) async fn switch(&mut self) -> (Observation, NodeRef) {
        let query = Query::new().role(Role::Switch.as_str());
        let seen = self
            .until("switch", |tree| tree.find(&query).is_some())
            .await;
        let node = seen.node_ref(seen.tree.find(&query).unwrap());
        (seen, node)
    }

    /// An action on the node with this text.
    pub(crate) async fn act(&mut self, text: &str, act: NodeAct) {
        let (_, node) = self.text(text).await;
        match act {
            NodeAct::Click => drop(self.click(node).await),
            act => drop(self.driver.act(&self.cx, node, &act).await.unwrap()),
        }
    }

    /// Clicks a node. The widgets' clock stands still during a touch, so a tap that took long on a busy computer is no long press
    /// for them.
    pub(crate) async fn click(&mut self, node: NodeRef) -> Option<ActOutcome> {
        match self.driver.act(&self.cx, node, &NodeAct::Click).await {
            Ok(clicked) => Some(clicked),
            Err(DriverError::Partial(_)) => None,
            Err(error) => panic!("{error}"),
        }
    }

    /// The node with this id of the platform.
    pub(crate) async fn id(&mut self, id: &str) -> (Observation, NodeRef) {
        let query = Query::new().id(format!("android:id/{id}"));
        let seen = self.until(id, |tree| tree.find(&query).is_some()).await;
        let node = seen.node_ref(seen.tree.find(&query).unwrap());
        (seen, node)
    }
}
