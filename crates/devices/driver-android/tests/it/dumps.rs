//! Screen captures, and unusual output of phones.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use adb::client::{Link, Pipe};
use adb::wire::shell::{Kind, packet};
use async_trait::async_trait;
use driver::{Cx, Driver, DriverError, Gesture, NodeAct};
use driver_android::{Profile, StockDriver};
use sim_adb::WireFault;
use tokio_util::sync::CancellationToken;
use uitree::{Point, Query, Rect, Size};

use crate::fixture::{Fixture, app};

/// The warning of `screencap` on a phone with several displays.
const WARNING: &str = "[Warning] Multiple displays were found, but no display id was specified!\n";
/// The screen size output of an unfolded phone.
const UNFOLDED: &str = "Physical size: 1800x2208\n  Display: mDisplayId=0\n    init=1800x2208 420dpi cur=1800x2208 app=1800x2208\n";
/// A stand-in for PNG data.
const PICTURE: &str = "no picture";

/// A phone that answers each capture with the next scripted output, and records every command.
#[derive(Clone, Debug, Default)]
struct Scripted {
    captures: Arc<Mutex<VecDeque<(String, String)>>>,
    commands: Arc<Mutex<Vec<String>>>,
    /// The screen size output.
    size: Arc<Mutex<String>>,
}

#[async_trait]
impl Link for Scripted {
    async fn open(&self, service: &str) -> adb::Result<Pipe> {
        let command = service.strip_prefix("shell,v2,raw:").unwrap_or(service);
        self.commands.lock().unwrap().push(command.to_owned());
        let (out, message) = if command.contains("uiautomator") {
            self.captures.lock().unwrap().pop_front().unwrap()
        } else if command.contains("wm size") {
            let message = self.size.lock().unwrap().clone();
            (message, String::new())
        } else if command.contains("screencap") {
            let warned = if command.contains(" -d 7") {
                ""
            } else {
                WARNING
            };
            (PICTURE.to_owned(), warned.to_owned())
        } else if command.starts_with("dumpsys display") {
            let viewport = "mViewports=[DisplayViewport{displayId=0, uniqueId='local:7'}]";
            (viewport.to_owned(), String::new())
        } else {
            Default::default()
        };
        let answer = [
            packet(Kind::Stdout, out.as_bytes()),
            packet(Kind::Stderr, message.as_bytes()),
            packet(Kind::Exit, &[0]),
        ];
        Ok(Box::new(std::io::Cursor::new(answer.concat())))
    }

    async fn features(&self) -> adb::Result<Vec<String>> {
        Ok(vec!["shell_v2".to_owned()])
    }
}

impl Scripted {
    fn driver(&self) -> StockDriver {
        let profile = Profile {
            model: "X".to_owned(),
            release: "14".to_owned(),
            sdk: 34,
            screen: Size::new(1080, 2092),
            density: 420,
        };
        StockDriver::with_profile("X", adb::Phone::new(Arc::new(self.clone())), profile)
    }

    /// Sets the screen size output.
    fn is_sized(&self, message: &str) {
        message.clone_into(&mut self.size.lock().unwrap());
    }

    /// Sets standard output and standard error of the next capture.
    fn add_capture(&self, out: impl Into<String>, message: &str) {
        let mut captures = self.captures.lock().unwrap();
        captures.push_back((out.into(), message.to_owned()));
    }
}

fn cx() -> Cx {
    Cx::new(Duration::from_secs(90), CancellationToken::new())
}

/// The output of a capture of an app with this size.
fn screen(size: Size, windows: &str) -> String {
    let Size { width, height } = size;
    format!(
        "Physical size: {width}x{height}\n<?xml version='1.0' ?><displays><display id=\"0\">{windows}<window title=\"App\" \
         bounds=\"[0,0][{width},{height}]\" active=\"true\" type=\"TYPE_APPLICATION\" layer=\"1\"><hierarchy rotation=\"0\"><node \
         package=\"com.x\" bounds=\"[0,0][{width},{height}]\"><node text=\"Send\" clickable=\"true\" package=\"com.x\" \
         bounds=\"[0,400][{width},500]\" /></node></hierarchy></window></display></displays>"
    )
}

#[tokio::test]
async fn observation_dumps_once_into_a_separate_file() {
    let phone = Scripted::default();
    phone.add_capture(
        screen(Size::new(1080, 2092), ""),
        "UI hierchary dumped to: /x",
    );
    phone.driver().observe(&cx()).await.unwrap();
    let commands = phone.commands.lock().unwrap().join("\n");
    assert_eq!(commands.matches("uiautomator").count(), 1, "{commands}");
    assert!(commands.contains("clawperator-$$.xml"), "{commands}");
    assert!(!commands.contains("/dev/tty"), "{commands}");
}

#[tokio::test]
async fn parallel_observations_leave_no_file() {
    let Fixture {
        mut driver,
        phone,
        cx,
        ..
    } = app("com.android.settings").await;
    let mut other = StockDriver::open("other", phone.clone(), &cx)
        .await
        .unwrap();
    let (one, two) = tokio::join!(driver.observe(&cx), other.observe(&cx));
    assert_eq!(one.unwrap().tree, two.unwrap().tree);
    let left = phone.shell("ls /data/local/tmp").await.unwrap().text();
    assert!(!left.contains("clawperator"), "{left}");
}

#[tokio::test]
async fn busy_screen_is_not_idle() {
    let mut fixture = app("com.android.settings").await;
    fixture.adb_phone.faults().add_times(WireFault::NoIdle, 1);
    let error = fixture.driver.observe(&fixture.cx).await.unwrap_err();
    assert!(matches!(error, DriverError::NotIdle(_)), "{error}");
}

#[tokio::test]
async fn screen_size_is_read_with_each_dump() {
    let phone = Scripted::default();
    let mut driver = phone.driver();
    for size in [
        Size::new(1080, 2092),
        Size::new(1800, 2208),
        Size::new(1080, 2092),
    ] {
        phone.add_capture(screen(size, ""), "");
        let seen = driver.observe(&cx()).await.unwrap();
        assert_eq!(seen.tree.screen(), size);
        assert_eq!(driver.info().screen, size);
        let at = Point::new(size.width - 1, size.height - 1);
        driver.touch(&cx(), &Gesture::Tap { at }).await.unwrap();
        phone.add_capture(screen(size, ""), "");
        driver.observe(&cx()).await.unwrap();
        let at = Point::new(size.width, 10);
        let refused = driver.touch(&cx(), &Gesture::Tap { at }).await;
        assert_eq!(refused, Err(DriverError::OffScreen(at)));
    }
}

#[tokio::test]
async fn touch_without_observation_queries_screen_size() {
    let phone = Scripted::default();
    phone.is_sized(UNFOLDED);
    let mut driver = phone.driver();
    let at = Point::new(1700, 2200);
    driver.touch(&cx(), &Gesture::Tap { at }).await.unwrap();
    let commands = phone.commands.lock().unwrap().clone();
    let [size, tap] = commands.as_slice() else {
        panic!("{commands:?}")
    };
    assert!(size.contains("wm size"), "{size}");
    assert!(tap.ends_with("input tap 1700 2200"), "{tap}");
    let at = Point::new(2200, 1700);
    let outside = driver.touch(&cx(), &Gesture::Tap { at }).await;
    assert_eq!(outside, Err(DriverError::OffScreen(at)));
}

#[tokio::test]
async fn touch_outside_of_rotated_screen_is_refused() {
    let phone = Scripted::default();
    phone.is_sized(&UNFOLDED.replace("cur=1800x2208", "cur=2208x1800"));
    let mut driver = phone.driver();
    let (inside, outside) = (Point::new(2200, 1700), Point::new(1700, 2200));
    driver
        .touch(&cx(), &Gesture::Tap { at: inside })
        .await
        .unwrap();
    let swipe = |from, to| Gesture::Swipe {
        from,
        to,
        duration: Duration::from_millis(100),
        rest: Duration::ZERO,
    };
    for gesture in [
        Gesture::Tap { at: outside },
        Gesture::LongPress { at: outside },
        swipe(outside, inside),
        swipe(inside, outside),
    ] {
        let refused = driver.touch(&cx(), &gesture).await;
        assert_eq!(refused, Err(DriverError::OffScreen(outside)));
    }
    let commands = phone.commands.lock().unwrap().join("\n");
    assert_eq!(commands.matches("input ").count(), 1, "{commands}");
}

#[tokio::test]
async fn unknown_rotation_is_observed_if_needed() {
    let phone = Scripted::default();
    phone.is_sized("Physical size: 1080x2092\n");
    let mut driver = phone.driver();
    let at = Point::new(500, 600);
    driver.touch(&cx(), &Gesture::Tap { at }).await.unwrap();
    let turned = screen(Size::new(1080, 2092), "").replace("rotation=\"0\"", "rotation=\"1\"");
    let turned = turned.replace("[1080,2092]", "[2092,1080]");
    phone.add_capture(turned, "");
    let at = Point::new(500, 2000);
    let outside = driver.touch(&cx(), &Gesture::Tap { at }).await;
    assert_eq!(outside, Err(DriverError::OffScreen(at)));
}

#[tokio::test]
async fn keyboard_covers_its_touchable_bounds() {
    let phone = Scripted::default();
    let mut driver = phone.driver();
    let keys = |top: i32| {
        format!(
            "<window title=\"IME\" bounds=\"[0,{top}][1080,2092]\" active=\"false\" type=\"TYPE_INPUT_METHOD\" layer=\"6\"><hierarchy \
             rotation=\"0\"><node package=\"com.keys\" bounds=\"[0,80][1080,2092]\" /></hierarchy></window>"
        )
    };
    phone.add_capture(screen(Size::new(1080, 2092), &keys(1400)), "");
    let seen = driver.observe(&cx()).await.unwrap();
    let keyboard = seen.tree.windows()[0].clone();
    assert_eq!(keyboard.bounds, Some(Rect::new(0, 1400, 1080, 2092)));
    let send = Query::new().text("Send");
    let node = seen.node_ref(seen.tree.find(&send).unwrap());
    let clicked = driver.act(&cx(), node, &NodeAct::Click).await.unwrap();
    assert_eq!(clicked.touched, Some(Point::new(540, 450)));
    phone.add_capture(screen(Size::new(1080, 2092), &keys(300)), "");
    let seen = driver.observe(&cx()).await.unwrap();
    let node = seen.node_ref(seen.tree.find(&send).unwrap());
    let covered = driver.act(&cx(), node, &NodeAct::Click).await;
    assert!(
        matches!(covered, Err(DriverError::Refused(_))),
        "{covered:?}"
    );
}

#[tokio::test]
async fn dump_uses_terminal_if_storage_is_full() {
    let phone = Scripted::default();
    let full = "/data/local/tmp/clawperator-7.xml: No space left on device\n";
    phone.add_capture("", full);
    phone.add_capture(screen(Size::new(1080, 2092), ""), "");
    let seen = phone.driver().observe(&cx()).await.unwrap();
    assert_eq!(seen.tree.screen(), Size::new(1080, 2092));
    let commands = phone.commands.lock().unwrap().join("\n");
    assert!(
        commands.contains("exec:wm size; uiautomator dump --windows /dev/tty"),
        "{commands}"
    );
}

#[tokio::test]
async fn empty_dump_is_refused() {
    let phone = Scripted::default();
    let mut driver = phone.driver();
    for _ in 0..2 {
        phone.add_capture(
            "Physical size: 1080x2092\n",
            "UI hierchary dumped to: /data/x.xml\n",
        );
    }
    let error = driver.observe(&cx()).await.unwrap_err();
    assert!(
        matches!(&error, DriverError::Incomplete(why) if why.contains("wrote nothing")),
        "{error}"
    );
}

#[tokio::test]
async fn long_press_survives_a_broken_connection() {
    let phone = Scripted::default();
    let mut driver = phone.driver();
    let at = Point::new(10, 20);
    driver
        .touch(&cx(), &Gesture::LongPress { at })
        .await
        .unwrap();
    let commands = phone.commands.lock().unwrap().join("\n");
    let (ignored, down) = (commands.find("trap '' HUP"), commands.find("DOWN 10 20"));
    assert!(ignored.is_some() && ignored < down, "{commands}");
}

#[tokio::test]
async fn screenshot_is_of_the_driven_display() {
    let phone = Scripted::default();
    let mut driver = phone.driver();
    for _ in 0..2 {
        let none = driver.screenshot(&cx()).await;
        assert!(matches!(none, Err(DriverError::Refused(_))), "{none:?}");
    }
    let commands = phone.commands.lock().unwrap().clone();
    // The screen state is requested in the same command.
    let last = commands
        .iter()
        .map(|line| line.rsplit("; ").next().unwrap());
    let (of_any, which, of_it) = (
        "screencap -p",
        "dumpsys display | grep mViewports",
        "screencap -p -d 7",
    );
    assert_eq!(
        last.collect::<Vec<_>>(),
        [of_any, which, of_it, which, of_it]
    );
}
