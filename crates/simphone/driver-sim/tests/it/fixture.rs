//! A phone under test, with helpers for input and assertions.

use std::time::Duration;

use driver::{
    Cx, Driver, DriverError, Gesture, Key, NodeAct, NodeRef, Observation, Recording, Revision,
    Target,
};
use driver_sim::journal::Event;
use driver_sim::{AppSource, SimDriver, SimOptions, Start};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uitree::{Node, NodeId, Point, Rect};

pub(crate) const SETTINGS: &str = "com.android.settings";
pub(crate) const SHOP: &str = "com.example.shop";
pub(crate) const LAUNCHER: &str = "com.android.launcher3";

pub(crate) struct Fixture {
    pub(crate) driver: SimDriver,
    pub(crate) cx: Cx,
    epoch: Instant,
}

impl Fixture {
    pub(crate) fn with(options: SimOptions) -> Self {
        Self {
            driver: SimDriver::new(options).unwrap_or_else(|error| panic!("{error}")),
            cx: Cx::new(Duration::from_secs(3600), CancellationToken::new()),
            epoch: Instant::now(),
        }
    }

    /// A phone with the built-in apps that shows this one.
    pub(crate) fn app(package: &str) -> Self {
        Self::with(SimOptions {
            start: Start::App(package.to_owned()),
            ..SimOptions::default()
        })
    }

    pub(crate) fn yaml(screens: &str) -> Self {
        Self::with(with_screens(screens))
    }

    pub(crate) async fn see(&mut self) -> Observation {
        self.try_see().await.expect("the screen is on")
    }

    pub(crate) async fn try_see(&mut self) -> Result<Observation, DriverError> {
        self.driver.observe(&self.cx).await
    }

    /// Waits until the screen changes after the revision `since`.
    pub(crate) async fn changed(&mut self, since: Revision) {
        let changed = self.driver.changed(&self.cx, since).await;
        changed.expect("it changes before the time is over");
    }

    pub(crate) async fn record(&mut self, id: Option<&str>) -> Result<Recording, DriverError> {
        self.driver.start_recording(&self.cx, id).await
    }

    pub(crate) async fn end_recording(
        &mut self,
        id: Option<&str>,
    ) -> Result<Recording, DriverError> {
        self.driver.stop_recording(&self.cx, id).await
    }

    /// The first visible node whose text or description is `name`.
    pub(crate) async fn find(&mut self, name: &str) -> Option<(NodeRef, Node)> {
        let seen = self.see().await;
        let id = named(&seen, name)?;
        Some((seen.node_ref(id), seen.tree.node(id).clone()))
    }

    pub(crate) async fn node(&mut self, name: &str) -> Node {
        match self.find(name).await {
            Some((_, node)) => node,
            None => panic!(
                "nothing is called {name}:\n{}",
                self.see().await.tree.to_compact()
            ),
        }
    }

    pub(crate) async fn shows(&mut self, name: &str) -> bool {
        self.find(name).await.is_some()
    }

    pub(crate) async fn tap(&mut self, name: &str) {
        let bounds = self.node(name).await.bounds.expect("every node has bounds");
        self.touch(bounds.center()).await;
    }

    pub(crate) async fn touch(&mut self, at: Point) {
        self.try_touch(at).await.expect("it is on the screen");
    }

    pub(crate) async fn try_touch(&mut self, at: Point) -> Result<(), DriverError> {
        self.driver.touch(&self.cx, &Gesture::Tap { at }).await
    }

    /// Performs an act of the accessibility interface on the node `name`.
    pub(crate) async fn act(&mut self, name: &str, act: NodeAct) {
        self.try_act(name, act).await.expect("the node takes it");
    }

    pub(crate) async fn set_text(&mut self, name: &str, text: &str) {
        self.act(name, NodeAct::SetText(text.to_owned())).await;
    }

    pub(crate) async fn try_act(&mut self, name: &str, act: NodeAct) -> Result<(), DriverError> {
        let (node, _) = self.find(name).await.expect("it is on the screen");
        self.driver_act(node, act).await
    }

    /// Drags the content and stops before the finger is lifted, so that nothing is flung.
    pub(crate) async fn swipe(&mut self, from: (i32, i32), to: (i32, i32)) {
        const STEPS: i32 = 16;
        let along = |a: i32, b: i32, step: i32| a + (b - a) * step / STEPS;
        self.driver
            .phone_mut()
            .touch_down(Point::new(from.0, from.1));
        for step in 1..=STEPS {
            self.pass(16).await;
            let at = Point::new(along(from.0, to.0, step), along(from.1, to.1, step));
            self.driver.phone_mut().touch_move(at);
        }
        self.pass(60).await;
        self.driver.phone_mut().touch_up(Point::new(to.0, to.1));
    }

    /// Waits, with the finger where it is.
    pub(crate) async fn pass(&mut self, millis: u64) {
        tokio::time::sleep(Duration::from_millis(millis)).await;
        let now = self.now();
        self.driver.phone_mut().advance_to(now);
    }

    pub(crate) fn now(&self) -> Duration {
        self.epoch.elapsed()
    }

    pub(crate) async fn rest(&mut self) {
        while self.driver.phone().is_moving() {
            self.pass(16).await;
        }
    }

    /// Swipes and lifts the finger while it moves.
    pub(crate) async fn fling(&mut self, from: (i32, i32), to: (i32, i32)) {
        let gesture = Gesture::Swipe {
            from: Point::new(from.0, from.1),
            to: Point::new(to.0, to.1),
            duration: Duration::from_millis(250),
            rest: Duration::ZERO,
        };
        self.driver
            .touch(&self.cx, &gesture)
            .await
            .expect("it is on the screen");
    }

    pub(crate) async fn key(&mut self, key: Key) {
        self.driver
            .key(&self.cx, key)
            .await
            .expect("keys always work");
    }

    pub(crate) async fn try_open(&mut self, uri: &str) -> Result<(), DriverError> {
        let target = Target::Uri(uri.to_owned());
        self.driver.open(&self.cx, &target).await.map(drop)
    }

    pub(crate) async fn launch(&mut self, package: &str) {
        self.try_launch(package).await.expect("it is installed");
    }

    pub(crate) async fn try_launch(&mut self, package: &str) -> Result<(), DriverError> {
        let target = Target::App(package.to_owned());
        self.driver.open(&self.cx, &target).await.map(drop)
    }

    pub(crate) async fn front(&mut self) -> String {
        self.driver
            .foreground(&self.cx)
            .await
            .expect("it is always known")
            .app
            .unwrap_or_default()
    }

    /// The journal without touch events.
    pub(crate) fn journal(&self) -> Vec<String> {
        let finger = |what: &Event| {
            matches!(
                what,
                Event::TouchedDown { .. } | Event::TouchedUp { .. } | Event::TouchCancelled
            )
        };
        self.driver
            .phone()
            .journal()
            .iter()
            .filter(|entry| !finger(&entry.what))
            .map(ToString::to_string)
            .collect()
    }

    pub(crate) fn noted(&self, words: &str) -> bool {
        self.journal().iter().any(|line| line.contains(words))
    }

    /// The journal from entry `from` on, without times.
    pub(crate) fn happened_since(&self, from: usize) -> Vec<String> {
        let cut = |line: &String| line.get(10..).unwrap_or_default().to_owned();
        self.journal().iter().skip(from).map(cut).collect()
    }
}

/// Options of a phone that shows an app with these screens.
pub(crate) fn with_screens(screens: &str) -> SimOptions {
    let head = "app: com.test.app\nlabel: Test\nicon: star\nstart: main";
    with_file(&format!("{head}\n{screens}"))
}

/// Options of a phone that shows the app of this file.
pub(crate) fn with_file(yaml: &str) -> SimOptions {
    SimOptions {
        apps: vec![
            AppSource::BuiltIn,
            AppSource::Text {
                name: "test.yaml".to_owned(),
                yaml: yaml.to_owned(),
            },
        ],
        start: Start::Own,
        ..SimOptions::default()
    }
}

/// The first visible node whose text or description is `name`.
pub(crate) fn named(seen: &Observation, name: &str) -> Option<NodeId> {
    seen.tree.ids().find(|id| {
        let node = seen.tree.node(*id);
        (&*node.text == name || &*node.label == name) && node.is(uitree::State::VISIBLE)
    })
}

/// The nodes whose id ends in `id`.
pub(crate) fn with_id(seen: &Observation, id: &str) -> Vec<Node> {
    let end = format!(":id/{id}");
    seen.tree
        .nodes()
        .iter()
        .filter(|node| node.id.ends_with(&end))
        .cloned()
        .collect()
}

pub(crate) fn bounds(node: &Node) -> Rect {
    node.bounds.expect("every node has bounds")
}

pub(crate) fn run<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime can be made")
        .block_on(test)
}

pub(crate) fn millis_since(start: Instant) -> u128 {
    start.elapsed().as_millis()
}

impl Fixture {
    pub(crate) async fn driver_act(
        &mut self,
        node: NodeRef,
        act: NodeAct,
    ) -> Result<(), DriverError> {
        self.driver.act(&self.cx, node, &act).await.map(drop)
    }
}
