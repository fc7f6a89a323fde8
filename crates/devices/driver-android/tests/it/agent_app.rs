//! The agent's app form on the simulated phone.

use agent_protocol::APP_SERVICE;
use driver::{Dispatch, Driver, DriverError, Gesture, Key, NodeAct, Orientation};
use driver_android::{AgentForm, AgentSource, QuitOutcome, Shell, StockDriver, quit_if_running};
use driver_sim::Rotation;
use sim_adb::{AgentFault, CommandStage, WireFault};
use uitree::Point;

use crate::agent::node;
use crate::agent_fixture::{AgentFixture, PROGRAM, attach, phone, phone_with_app};

const SERVICES: &str = "settings put secure enabled_accessibility_services";

async fn reason(fixture: &AgentFixture) -> (&'static str, String) {
    match attach(&fixture.phone, &fixture.cx, AgentSource::App).await {
        Ok(_) => panic!("it attached"),
        Err(why) => (why.reason(), why.to_string()),
    }
}

#[tokio::test]
async fn app_drives_a_phone_that_the_agent_cannot_drive() {
    let fixture = phone_with_app().await;
    let faults = fixture.adb_phone.faults();
    faults.add(WireFault::Agent(AgentFault::SlotTaken));
    faults.add(WireFault::DenyInput);
    let mut driver = attach(&fixture.phone, &fixture.cx, AgentSource::App)
        .await
        .unwrap();
    assert_eq!(driver.form(), AgentForm::App);
    let cx = &fixture.cx;
    let seen = driver.observe(cx).await.unwrap();
    driver
        .act(cx, node(&seen, "add"), &NodeAct::Click)
        .await
        .unwrap();
    assert_eq!(fixture.clicks().await, 1);
    let at = Point::new(5, 300);
    driver.touch(cx, &Gesture::LongPress { at }).await.unwrap();
    driver.key(cx, Key::Home).await.unwrap();
    assert_ne!(
        driver.observe(cx).await.unwrap().foreground,
        seen.foreground
    );
    // The shell presses the other keys, and may not here.
    let denied = driver.key(cx, Key::VolumeUp).await;
    assert!(
        matches!(denied, Err(DriverError::InputDenied(_))),
        "{denied:?}"
    );
    assert!(driver.screenshot(cx).await.unwrap().size.width > 0);
}

#[tokio::test]
async fn clipboard_is_shared_with_apps_and_read_where_android_allows_it() {
    let fixture = phone_with_app().await;
    let cx = &fixture.cx;
    for source in [AgentSource::Dex(PROGRAM), AgentSource::App] {
        let mut driver = attach(&fixture.phone, cx, source).await.unwrap();
        let text = format!("größer 😀 {source:?}");
        driver.set_clipboard(cx, &text).await.unwrap();
        assert_eq!(fixture.adb_phone.driver().await.phone().clipboard(), text);
        let read = driver.clipboard(cx).await;
        match source {
            AgentSource::App => assert!(matches!(read, Err(DriverError::Unsupported(_)))),
            AgentSource::Dex(_) => assert_eq!(read, Ok(text)),
        }
    }
}

#[tokio::test]
async fn screen_is_turned_by_app_and_agent_and_back_when_the_agent_ends() {
    let fixture = phone_with_app().await;
    let cx = &fixture.cx;
    let rotation = async || fixture.adb_phone.driver().await.phone().rotation();
    for source in [AgentSource::App, AgentSource::Dex(PROGRAM)] {
        let mut driver = attach(&fixture.phone, cx, source).await.unwrap();
        for (orientation, expected) in [
            (Orientation::Landscape, Rotation::Landscape),
            (Orientation::Auto, Rotation::Portrait),
            (Orientation::Landscape, Rotation::Landscape),
            (Orientation::Portrait, Rotation::Portrait),
            (Orientation::Landscape, Rotation::Landscape),
        ] {
            driver.set_orientation(cx, orientation).await.unwrap();
            assert_eq!(rotation().await, expected);
        }
        let screen = driver.observe(cx).await.unwrap().tree.screen();
        assert!(screen.width > screen.height);
        driver.set_orientation(cx, Orientation::Auto).await.unwrap();
    }
    let mut driver = attach(&fixture.phone, cx, PROGRAM).await.unwrap();
    driver
        .set_orientation(cx, Orientation::Landscape)
        .await
        .unwrap();
    drop(driver);
    let ended = quit_if_running(&Shell::new(fixture.phone.clone()), cx).await;
    assert_eq!(ended, Ok(QuitOutcome::Ended));
    assert_eq!(rotation().await, Rotation::Portrait);
}

#[tokio::test]
async fn screen_that_settings_turn_stays_turned_when_the_agent_ends() {
    let fixture = phone_with_app().await;
    let cx = &fixture.cx;
    let stock = StockDriver::open("phone", fixture.phone.clone(), cx).await;
    let app = attach(&fixture.phone, cx, AgentSource::App).await;
    let others: [Box<dyn Driver>; 2] = [Box::new(stock.unwrap()), Box::new(app.unwrap())];
    for mut other in others {
        let mut agent = attach(&fixture.phone, cx, PROGRAM).await.unwrap();
        for orientation in [Orientation::Portrait, Orientation::Landscape] {
            agent.set_orientation(cx, orientation).await.unwrap();
        }
        drop(agent);
        other
            .set_orientation(cx, Orientation::Landscape)
            .await
            .unwrap();
        let ended = quit_if_running(&Shell::new(fixture.phone.clone()), cx).await;
        assert_eq!(ended, Ok(QuitOutcome::NoneRan));
        let rotation = fixture.adb_phone.driver().await.phone().rotation();
        assert_eq!(rotation, Rotation::Landscape);
        other.set_orientation(cx, Orientation::Auto).await.unwrap();
    }
}

#[tokio::test]
async fn clipboard_set_by_an_agent_that_ends_is_unknown_and_sent_once() {
    let fixture = phone().await;
    let cx = &fixture.cx;
    let mut driver = attach(&fixture.phone, cx, PROGRAM).await.unwrap();
    driver.observe(cx).await.unwrap();
    let killed = WireFault::Agent(AgentFault::Killed(CommandStage::Before));
    fixture.adb_phone.faults().add(killed);
    match driver.set_clipboard(cx, "once").await {
        Err(DriverError::Lost { dispatch, .. }) => assert_eq!(dispatch, Dispatch::Unknown),
        other => panic!("{other:?}"),
    }
    assert_eq!(fixture.adb_phone.driver().await.phone().clipboard(), "");
}

#[tokio::test]
async fn app_of_an_earlier_version_is_not_used() {
    let fixture = phone_with_app().await;
    let faults = fixture.adb_phone.faults();
    faults.add(WireFault::Agent(AgentFault::OldVersion));
    let (reason, why) = reason(&fixture).await;
    assert_eq!(reason, "agent_version");
    let earlier = format!("speaks version {} of", agent_protocol::VERSION - 1);
    assert!(why.contains(&earlier), "{why}");
}

#[tokio::test]
async fn keys_that_a_service_cannot_press_are_pressed_by_the_shell() {
    let fixture = phone_with_app().await;
    let mut driver = attach(&fixture.phone, &fixture.cx, AgentSource::App)
        .await
        .unwrap();
    driver.key(&fixture.cx, Key::VolumeUp).await.unwrap();
}

#[tokio::test]
async fn attach_failures_have_a_reason() {
    let without = phone().await;
    let (word, text) = reason(&without).await;
    assert_eq!(word, "app_not_installed");
    assert!(text.contains("app.clawperator.runtime"), "{text}");
    let fixture = phone_with_app().await;
    let driver = attach(&fixture.phone, &fixture.cx, AgentSource::App)
        .await
        .unwrap();
    assert_eq!(reason(&fixture).await.0, "agent_busy");
    drop(driver);
    fixture.run(&format!("{SERVICES} com.x/.Reader")).await;
    let (word, text) = reason(&fixture).await;
    assert_eq!(word, "app_service_off");
    assert!(text.contains("switched off"), "{text}");
    fixture
        .run(&format!("{SERVICES} com.x/.Reader:{APP_SERVICE}"))
        .await;
    let off = WireFault::Agent(AgentFault::ServiceOff);
    fixture.adb_phone.faults().add_times(off, 1);
    let (word, text) = reason(&fixture).await;
    assert_eq!(word, "app_service_off");
    assert!(text.contains("Android does not run it"), "{text}");
    attach(&fixture.phone, &fixture.cx, AgentSource::App)
        .await
        .unwrap();
}

#[tokio::test]
async fn app_that_ends_is_asked_again() {
    let fixture = phone_with_app().await;
    let cx = &fixture.cx;
    let mut driver = attach(&fixture.phone, cx, AgentSource::App).await.unwrap();
    let seen = driver.observe(cx).await.unwrap();
    let killed = WireFault::Agent(AgentFault::Killed(CommandStage::Before));
    fixture.adb_phone.faults().add_times(killed, 1);
    let lost = driver.act(cx, node(&seen, "add"), &NodeAct::Click).await;
    assert!(
        matches!(
            lost,
            Err(DriverError::Lost {
                dispatch: Dispatch::Unknown,
                ..
            })
        ),
        "{lost:?}"
    );
    assert_eq!(fixture.clicks().await, 0);
    let again = driver.observe(cx).await.unwrap();
    driver
        .act(cx, node(&again, "add"), &NodeAct::Click)
        .await
        .unwrap();
    assert_eq!(fixture.clicks().await, 1);
    // Once the service is switched off there is nothing to ask.
    fixture.run(&format!("{SERVICES} null")).await;
    fixture.adb_phone.faults().add_times(
        WireFault::Agent(AgentFault::Killed(CommandStage::Before)),
        1,
    );
    let seen = driver.observe(cx).await.unwrap();
    let lost = driver.act(cx, node(&seen, "add"), &NodeAct::Click).await;
    assert!(lost.is_err(), "{lost:?}");
    let gone = driver.observe(cx).await;
    let Err(DriverError::Lost { message, .. }) = gone else {
        panic!("{gone:?}");
    };
    assert!(message.contains("switched off"), "{message}");
}
