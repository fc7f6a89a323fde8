//! Calls that end early: errors and side effects.

use std::time::Duration;

use driver::{Cx, Dispatch, DriverError, Gesture, Key, NodeAct, NodeRef, Result, Target};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uitree::Point;

use super::{Break, PATIENCE, Scrolls, Subject, bounds};

/// Timeout of calls that fail immediately.
const AT_ONCE: Duration = Duration::from_secs(5);

/// Calls every method once; returns the results.
async fn everything(subject: &mut Subject, cx: &Cx, add: NodeRef) -> Vec<Result<()>> {
    let at = Point::new(100, 380);
    let names = subject.device.names();
    let driver = subject.driver();
    vec![
        driver.observe(cx).await.map(|_| ()),
        driver.screenshot(cx).await.map(|_| ()),
        driver.act(cx, add, &NodeAct::Click).await,
        driver.touch(cx, &Gesture::Tap { at }).await,
        driver.key(cx, Key::Home).await,
        driver.open(cx, &Target::App(names.app.clone())).await,
        driver
            .open(cx, &Target::Uri(format!("{}x", names.link)))
            .await,
        driver.close(cx, &names.app).await,
        driver.foreground(cx).await.map(|_| ()),
        driver.changed(cx, add.revision).await,
    ]
}

pub(super) async fn nothing_is_done_after_the_deadline(subject: &mut Subject) {
    let (_, add) = subject.find("add").await;
    let before = subject.inputs().await;
    let over = Cx::new(Duration::ZERO, CancellationToken::new());
    let started = Instant::now();
    for (call, results) in everything(subject, &over, add)
        .await
        .into_iter()
        .enumerate()
    {
        assert_eq!(results, Err(DriverError::Deadline), "call {call}");
    }
    assert!(started.elapsed() < AT_ONCE, "{:?}", started.elapsed());
    assert_eq!(subject.inputs().await, before);
    assert_eq!(subject.count().await, "count 0, held 0, sent 0");
}

pub(super) async fn nothing_is_done_when_nobody_wants_it(subject: &mut Subject) {
    let (_, add) = subject.find("add").await;
    let before = subject.inputs().await;
    let token = CancellationToken::new();
    token.cancel();
    let unwanted = Cx::new(PATIENCE, token);
    for (call, results) in everything(subject, &unwanted, add)
        .await
        .into_iter()
        .enumerate()
    {
        assert_eq!(results, Err(DriverError::Cancelled), "call {call}");
    }
    assert_eq!(subject.inputs().await, before);
    assert_eq!(subject.count().await, "count 0, held 0, sent 0");
}

pub(super) async fn a_deadline_ends_a_gesture_and_lifts_the_finger(subject: &mut Subject) {
    let (seen, rows) = subject.find("rows").await;
    let list = bounds(&seen, rows);
    let gesture = match subject.device.abilities().scrolls {
        Scrolls::ByFinger => Gesture::Swipe {
            from: Point::new(list.center().x, list.bottom - 200),
            to: Point::new(list.center().x, list.top + 200),
            duration: Duration::from_secs(60),
        },
        Scrolls::OnNodes => Gesture::LongPress { at: list.center() },
    };
    let short = subject.cx.within(Duration::from_millis(300));
    let started = Instant::now();
    let done = subject.driver().touch(&short, &gesture).await;
    assert_eq!(done, Err(DriverError::Deadline));
    assert!(started.elapsed() < AT_ONCE, "{:?}", started.elapsed());
    // The next observation is correct, and the next touch is a single finger's.
    let cx = subject.cx.clone();
    let (_, add) = subject.find("add").await;
    assert_eq!(
        subject.driver().act(&cx, add, &NodeAct::Click).await,
        Ok(())
    );
    assert_eq!(subject.times("click", "add").await, 1);
    let down = subject.happened("touch_down").await.len();
    let up =
        subject.happened("touch_up").await.len() + subject.happened("touch_cancel").await.len();
    // A driver that acts on nodes touches only for the swipe.
    assert!(down > 0);
    assert_eq!(down, up, "{:?}", subject.device.journal().await);
}

pub(super) async fn a_lost_connection_tells_the_truth(subject: &mut Subject) {
    let mut clicks = 0;
    for when in [Break::Before, Break::Done, Break::Before, Break::Done] {
        let (_, add) = subject.find("add").await;
        subject.device.break_next(when).await;
        let cx = subject.cx.within(AT_ONCE * 4);
        let done = subject.driver().act(&cx, add, &NodeAct::Click).await;
        let happened = subject.times("click", "add").await - clicks;
        match done {
            Ok(()) => assert_eq!(happened, 1, "{when:?}"),
            Err(DriverError::Lost { dispatch, .. }) => match dispatch {
                Dispatch::NotSent => assert_eq!(happened, 0, "{when:?}"),
                Dispatch::Sent => assert_eq!(happened, 1, "{when:?}"),
                Dispatch::Unknown => assert!(happened <= 1, "{when:?}: {happened}"),
            },
            other => panic!("{when:?}: {other:?}"),
        }
        if when == Break::Done {
            assert_eq!(
                happened, 1,
                "the input was done before the connection broke"
            );
        }
        clicks += happened;
        subject.device.repair().await;
        assert_eq!(
            subject.count().await,
            format!("count {clicks}, held 0, sent 0")
        );
    }
    let (_, add) = subject.find("add").await;
    let cx = subject.cx.clone();
    assert_eq!(
        subject.driver().act(&cx, add, &NodeAct::Click).await,
        Ok(())
    );
    assert_eq!(subject.times("click", "add").await, clicks + 1);
}
