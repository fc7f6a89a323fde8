//! Cuts the stream to the agent at every byte of an observation and a tap: the report is correct, and no tap is
//! done twice.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::task::{Context, Poll};

use adb::client::Pipe;
use agent_protocol::{STATE_FILE, StartLine};
use driver::{Dispatch, Driver, DriverError, NodeAct};
use driver_android::{AgentDriver, Profile, Shell};
use testkit::conformance::PACKAGE;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use uitree::Query;

use crate::agent_fixture::{AgentFixture, phone};

/// A stream that breaks after so many bytes in both directions together.
struct Cut {
    pipe: Pipe,
    left: Arc<AtomicI64>,
    passed: Arc<AtomicU64>,
}

impl Cut {
    fn take(&self, bytes: usize) {
        self.left.fetch_sub(bytes as i64, Ordering::SeqCst);
        self.passed.fetch_add(bytes as u64, Ordering::SeqCst);
    }

    /// How many of these bytes may pass; an error if none may.
    fn allowed(&self, bytes: usize) -> std::io::Result<usize> {
        match self.left.load(Ordering::SeqCst) {
            left @ 1.. => Ok(bytes.min(left as usize)),
            _ => Err(std::io::ErrorKind::ConnectionReset.into()),
        }
    }
}

impl AsyncRead for Cut {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let allowed = self.allowed(buffer.remaining())?;
        let mut part = buffer.take(allowed);
        std::task::ready!(Pin::new(&mut self.pipe).poll_read(context, &mut part))?;
        let read = part.filled().len();
        buffer.advance(read);
        self.take(read);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Cut {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        let allowed = self.allowed(bytes.len())?;
        let pipe = Pin::new(&mut self.pipe);
        let written = std::task::ready!(pipe.poll_write(context, &bytes[..allowed]))?;
        self.take(written);
        Poll::Ready(Ok(written))
    }

    fn poll_flush(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.pipe).poll_flush(context)
    }

    fn poll_shutdown(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.pipe).poll_shutdown(context)
    }
}

/// A driver on a stream that can be cut, to the agent that runs already.
async fn connect(
    fixture: &AgentFixture,
    profile: &Profile,
) -> (AgentDriver, Arc<AtomicI64>, Arc<AtomicU64>) {
    let line = fixture.run(&format!("cat {STATE_FILE}")).await;
    let Ok(StartLine::Ready(ready)) = StartLine::parse(&line) else {
        panic!("{line}");
    };
    loop {
        let (left, passed) = (Arc::new(AtomicI64::new(i64::MAX)), Arc::default());
        let cut = Cut {
            pipe: fixture
                .phone
                .open(&format!("localabstract:{}", ready.socket))
                .await
                .unwrap(),
            left: Arc::clone(&left),
            passed: Arc::clone(&passed),
        };
        let phone = fixture.phone.clone();
        match AgentDriver::over("phone", phone, profile.clone(), cut, &ready.token).await {
            Ok(driver) => return (driver, left, passed),
            // The agent takes a moment to find that the client before has left.
            Err(busy) => assert!(busy.to_string().contains("BUSY"), "{busy}"),
        }
        fixture.cx.check().unwrap();
    }
}

/// Looks and taps; where it got to.
async fn look_and_tap(driver: &mut AgentDriver, fixture: &AgentFixture) -> Result<(), DriverError> {
    let seen = driver.observe(&fixture.cx).await?;
    let query = Query::new().id(format!("{PACKAGE}:id/add"));
    let add = seen.node_ref(seen.tree.find(&query).unwrap());
    let done = driver.act(&fixture.cx, add, &NodeAct::Click).await;
    done.map(drop)
}

#[tokio::test]
async fn cut_taps_are_reported_correctly_and_never_repeated() {
    let fixture = phone().await;
    drop(fixture.attach().await);
    let profile = Profile::query(&Shell::new(fixture.phone.clone()), &fixture.cx)
        .await
        .unwrap();
    let (mut driver, _, passed) = connect(&fixture, &profile).await;
    let before = passed.load(Ordering::SeqCst);
    look_and_tap(&mut driver, &fixture).await.unwrap();
    let whole = passed.load(Ordering::SeqCst) - before;
    drop(driver);
    // Most of it is the screen; its cuts are alike.
    let cuts = (0..40)
        .chain((40..whole - 60).step_by(37))
        .chain(whole - 60..=whole)
        // With a message of a change in between.
        .chain([whole + 400]);
    let (mut unknown, mut not_sent, mut done) = (0, 0, 0);
    for cut in cuts {
        let clicks = fixture.clicks().await;
        let (mut driver, left, _) = connect(&fixture, &profile).await;
        left.store(i64::try_from(cut).unwrap(), Ordering::SeqCst);
        let reported = look_and_tap(&mut driver, &fixture).await;
        drop(driver);
        // The agent has finished with this client before it accepts the next.
        drop(connect(&fixture, &profile).await);
        let happened = fixture.clicks().await - clicks;
        match reported {
            Ok(()) => {
                assert_eq!(happened, 1, "cut at {cut}");
                done += 1;
            }
            Err(DriverError::Lost { dispatch, .. }) => match dispatch {
                Dispatch::NotSent => {
                    assert_eq!(happened, 0, "cut at {cut}");
                    not_sent += 1;
                }
                Dispatch::Unknown => {
                    assert!(happened <= 1, "cut at {cut}");
                    unknown += 1;
                }
                Dispatch::Sent => panic!("cut at {cut}"),
            },
            // The loss was found between the look and the tap.
            Err(DriverError::Stale) => {
                assert_eq!(happened, 0, "cut at {cut}");
                not_sent += 1;
            }
            Err(other) => panic!("cut at {cut}: {other:?}"),
        }
    }
    assert!(
        unknown > 0 && not_sent > 0 && done > 0,
        "{unknown} {not_sent} {done}"
    );
}
