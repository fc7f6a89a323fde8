//! The processor time of runs on the embedded phone.

use std::path::Path;
use std::time::Instant;

use contract::Execution;
use serde_json::{Value, json};
use service::{Options, Service};
use tokio_util::sync::CancellationToken;

fn main() {
    let tour = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/tour.json");
    let tour = std::fs::read(&tour).unwrap_or_else(|error| panic!("{}: {error}", tour.display()));
    let tour: Value = serde_json::from_slice(&tour).expect("the tour is JSON");
    time("the tour, a phone for each", 20, || {
        run(&service(), &tour);
    });

    let service = service();
    run(
        &service,
        &plan(vec![
            json!({"id": "o", "type": "open_uri", "params": {"uri": "shop://item/3"}}),
            json!({"id": "w", "type": "wait_for_node", "params": {"matcher": {"contentDescEquals": "Increase quantity"}}}),
        ]),
    );
    // Clicks that change a counter: the layout is computed again for each.
    let click = |what: &str| json!({"id": what, "type": "click", "params": {"matcher": {"contentDescEquals": what}}});
    let pair = [click("Increase quantity"), click("Decrease quantity")];
    let plan = plan(pair.into_iter().cycle().take(50).collect());
    let each = time("50 clicks that change the screen, one plan", 100, || {
        run(&service, &plan);
    });
    println!("clicks a second: {:.0}", 50.0 / each);

    // The same on a screen with a long list.
    let nodes = sign_in(&service);
    let tab = |what: &str| json!({"id": what, "type": "click", "params": {"matcher": {"textEquals": what}}});
    let tabs = self::plan(
        [tab("Garden"), tab("Home")]
            .into_iter()
            .cycle()
            .take(50)
            .collect(),
    );
    let each = time("50 clicks that fill a list anew, one plan", 100, || {
        run(&service, &tabs);
    });
    println!("clicks a second: {:.0} ({nodes} nodes)", 50.0 / each);
}

/// Opens the list of the shop; returns its number of nodes.
fn sign_in(service: &Service) -> usize {
    let enter = |what: &str, text: &str| json!({"id": what, "type": "enter_text", "params": {"matcher": {"textEquals": what}, "text": text}});
    let answer = run(
        service,
        &plan(vec![
            json!({"id": "c", "type": "close_app", "params": {"applicationId": "com.example.shop"}}),
            json!({"id": "o", "type": "open_app", "params": {"applicationId": "com.example.shop"}}),
            enter("Email", "a@b.co"),
            enter("Password", "secret"),
            json!({"id": "s", "type": "click", "params": {"matcher": {"role": "button", "textEquals": "Sign in"}}}),
            json!({"id": "w", "type": "wait_for_node", "params": {"matcher": {"textEquals": "Garden"}, "timeoutMs": 9000}}),
            json!({"id": "n", "type": "snapshot_ui"}),
        ]),
    );
    let seen = answer.envelope.step_results.last();
    seen.and_then(|step| step.data.get("text"))
        .map_or(0, |text| text.matches("<node ").count())
}

/// A service with its files in the temporary folder.
fn service() -> Service {
    Service::new(Options::default())
}

/// A plan with these actions.
fn plan(actions: Vec<Value>) -> Value {
    let mut plan = testkit::plan("bench", actions.into());
    plan["timeoutMs"] = 120_000.into();
    plan
}

/// Runs a plan that must succeed, in virtual time.
fn run(service: &Service, plan: &Value) -> contract::DeviceAnswer {
    let parsed = Execution::from_value(plan).expect("the plan is valid");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime");
    let answer = runtime
        .block_on(service.execute(Some("sim"), parsed, CancellationToken::new(), &mut |_| {}))
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(answer.envelope.is_success(), "{:?}", answer.envelope);
    answer
}

/// Measures and prints the average time of a call, in seconds.
fn time(what: &str, times: u32, mut work: impl FnMut()) -> f64 {
    let clock = Instant::now();
    for _ in 0..times {
        work();
    }
    let each = clock.elapsed().as_secs_f64() / f64::from(times);
    println!("{what}: {:.3} ms", each * 1000.0);
    each
}
