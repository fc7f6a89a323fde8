//! Times, and the lines in which they are shown.

use std::time::Duration;

use driver::Cx;
use tokio_util::sync::CancellationToken;

/// How often each is measured.
pub(crate) const TIMES: usize = 101;

pub(crate) fn cx() -> Cx {
    Cx::new(Duration::from_secs(60), CancellationToken::new())
}

/// The median of what is measured so many times.
pub(crate) async fn median(times: usize, mut run: impl AsyncFnMut() -> Duration) -> Duration {
    let mut all = Vec::new();
    for _ in 0..times {
        all.push(run().await);
    }
    all.sort_unstable();
    all[all.len() / 2]
}

/// Durations with the other transports.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OtherTransports {
    pub(crate) stock: Option<Duration>,
    pub(crate) operator: Option<Duration>,
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Prints a time without a target.
pub(crate) fn show_part(what: &str, time: Duration) {
    println!("{what:<44} {:>9.3} ms", millis(time));
}

/// Prints a time beside its target and, with ratios, beside the other transports.
pub(crate) fn show(what: &str, agent: Duration, target: f64, others: OtherTransports) {
    let agent = millis(agent);
    print!("{what:<44} {agent:>9.3} ms   target {target:>5} ms");
    for (name, time) in [("stock", others.stock), ("operator", others.operator)] {
        if let Some(time) = time {
            let ratio = millis(time) / agent;
            print!("   {name} {:>9.3} ms  1/{ratio:.1}", millis(time));
        }
    }
    println!();
}
