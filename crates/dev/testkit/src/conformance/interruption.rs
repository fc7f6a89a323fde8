//! Calls that end early: errors and side effects.

use std::time::Duration;

use driver::{Cx, Dispatch, DriverError, Gesture, Key, NodeAct, NodeRef, Result, Target};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uitree::Point;

use super::{Break, Scrolls, Subject, TIMEOUT, bounds};

/// Timeout of calls that fail immediately.
const SHORT_TIMEOUT: Duration = Duration::from_secs(5);

/// Calls every method once; returns the results.
async fn call_every_method(subject: &mut Subject, cx: &Cx, add: NodeRef) -> Vec<Result<()>> {
    let at = Point::new(100, 380);
    let names = subject.device.names();
    let driver = subject.driver();
    vec![
        driver.observe(cx).await.map(|_| ()),
        driver.screenshot(cx).await.map(|_| ()),
        driver.act(cx, add, &NodeAct::Click).await.map(drop),
        driver.touch(cx, &Gesture::Tap { at }).await,
        driver.key(cx, Key::Home).await.map(drop),
        driver
            .open(cx, &Target::App(names.app.clone()))
            .await
            .map(drop),
        driver
            .open(cx, &Target::Uri(format!("{}x", names.link)))
            .await
            .map(drop),
        driver.close(cx, &names.app).await,
        driver.foreground(cx).await.map(|_| ()),
        driver.changed(cx, add.revision).await,
    ]
}

pub(super) async fn expired_deadline_prevents_input(subject: &mut Subject) {
    let (_, add) = subject.find("add").await;
    let inputs_before = subject.count_inputs().await;
    let expired = Cx::new(Duration::ZERO, CancellationToken::new());
    let started = Instant::now();
    for (call, results) in call_every_method(subject, &expired, add)
        .await
        .into_iter()
        .enumerate()
    {
        assert_eq!(results, Err(DriverError::Deadline), "call {call}");
    }
    assert!(started.elapsed() < SHORT_TIMEOUT, "{:?}", started.elapsed());
    assert_eq!(subject.count_inputs().await, inputs_before);
    assert_eq!(subject.counter_text().await, "count 0, held 0, sent 0");
}

pub(super) async fn cancellation_prevents_input(subject: &mut Subject) {
    let (_, add) = subject.find("add").await;
    let inputs_before = subject.count_inputs().await;
    let token = CancellationToken::new();
    token.cancel();
    let cancelled = Cx::new(TIMEOUT, token);
    for (call, results) in call_every_method(subject, &cancelled, add)
        .await
        .into_iter()
        .enumerate()
    {
        assert_eq!(results, Err(DriverError::Cancelled), "call {call}");
    }
    assert_eq!(subject.count_inputs().await, inputs_before);
    assert_eq!(subject.counter_text().await, "count 0, held 0, sent 0");
}

pub(super) async fn deadline_ends_gesture_and_lifts_finger(subject: &mut Subject) {
    let (observation, rows) = subject.find("rows").await;
    let list = bounds(&observation, rows);
    let gesture = match subject.device.abilities().scrolls {
        Scrolls::ByFinger => Gesture::Swipe {
            from: Point::new(list.center().x, list.bottom - 200),
            to: Point::new(list.center().x, list.top + 200),
            duration: Duration::from_secs(60),
            rest: Duration::ZERO,
        },
        Scrolls::OnNodes => Gesture::LongPress { at: list.center() },
    };
    let short = subject.cx.within(Duration::from_millis(300));
    let started = Instant::now();
    let done = subject.driver().touch(&short, &gesture).await;
    assert_eq!(done, Err(DriverError::Deadline));
    assert!(started.elapsed() < SHORT_TIMEOUT, "{:?}", started.elapsed());
    // The next observation is correct, and the next touch is a single finger's.
    let (_, add) = subject.find("add").await;
    assert_eq!(subject.act(add, &NodeAct::Click).await, Ok(()));
    assert_eq!(subject.count_events("click", "add").await, 1);
    let down = subject.journal_entries("touch_down").await.len();
    let up = subject.journal_entries("touch_up").await.len()
        + subject.journal_entries("touch_cancel").await.len();
    // A driver that acts on nodes touches only for the swipe.
    assert!(down > 0);
    assert_eq!(down, up, "{:?}", subject.device.journal().await);
}

pub(super) async fn lost_connection_reports_dispatch_state(subject: &mut Subject) {
    let mut clicks = 0;
    for when in [Break::Before, Break::Done, Break::Before, Break::Done] {
        let (_, add) = subject.find("add").await;
        subject.device.break_next(when).await;
        let cx = subject.cx.within(SHORT_TIMEOUT * 4);
        let done = subject.driver().act(&cx, add, &NodeAct::Click).await;
        let journal_entries = subject.count_events("click", "add").await - clicks;
        match done {
            Ok(_) => assert_eq!(journal_entries, 1, "{when:?}"),
            Err(DriverError::Lost { dispatch, .. }) => match dispatch {
                Dispatch::NotSent => assert_eq!(journal_entries, 0, "{when:?}"),
                Dispatch::Sent => assert_eq!(journal_entries, 1, "{when:?}"),
                Dispatch::Unknown => assert!(journal_entries <= 1, "{when:?}: {journal_entries}"),
            },
            other => panic!("{when:?}: {other:?}"),
        }
        if when == Break::Done {
            assert_eq!(
                journal_entries, 1,
                "the input was not executed before the connection broke"
            );
        }
        clicks += journal_entries;
        subject.device.repair().await;
        assert_eq!(
            subject.counter_text().await,
            format!("count {clicks}, held 0, sent 0")
        );
    }
    let (_, add) = subject.find("add").await;
    assert_eq!(subject.act(add, &NodeAct::Click).await, Ok(()));
    assert_eq!(subject.count_events("click", "add").await, clicks + 1);
}
