//! The wall time of a tap within one process, through a real adb server to a simulated phone, without the phone's own time.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use adb::client::locate::ProgramSearch;
use adb::client::server::{Address, Server};
use contract::Execution;
use driver_sim::journal::Passwords;
use serde_json::{Value, json};
use service::{AdbSetup, Options, Service};
use sim_adb::Daemon;
use tokio_util::sync::CancellationToken;

/// The number of taps.
const TAPS: usize = 500;

#[derive(Clone, Default)]
struct MemoryRecorder(Arc<Mutex<Vec<u8>>>);

impl Write for MemoryRecorder {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("nobody panics").extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl MemoryRecorder {
    /// How long the phone had open streams since the last call, in milliseconds.
    fn phone_time(&self) -> f64 {
        let bytes = std::mem::take(&mut *self.0.lock().expect("nobody panics"));
        let text = String::from_utf8_lossy(&bytes);
        let lines = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        lines
            .filter_map(|line: Value| line["tookMs"].as_f64())
            .sum()
    }
}

fn main() {
    let seen = MemoryRecorder::default();
    let serial = phone(seen.clone());
    let places = ProgramSearch::from_env();
    let program = places.find().unwrap_or_else(|error| panic!("{error}"));
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    drop(listener);
    let home = std::env::temp_dir().join(format!("clawperator-taps-{}", std::process::id()));
    std::fs::create_dir_all(&home).expect("a folder");
    let adb = |word: &str| {
        let mut command = std::process::Command::new(&program);
        command
            .arg(word)
            .env("HOME", &home)
            .env_remove("ADB_SERVER_SOCKET");
        let ran = command
            .env("ANDROID_ADB_SERVER_PORT", port.to_string())
            .output();
        ran.expect("adb runs")
    };
    let started = adb("start-server");
    assert!(started.status.success(), "{started:?}");
    let address = Address {
        host: "127.0.0.1".to_owned(),
        port,
    };
    let setup = AdbSetup {
        server: Ok(address.clone()),
        places: places.clone(),
        locks: home.clone(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        runtime.block_on(measure(&Server::at(address), setup, &serial, &seen));
    }));
    adb("kill-server");
    // A folder that stays is in the temporary folder.
    let _ = std::fs::remove_dir_all(&home);
    if let Err(panic) = done {
        std::panic::resume_unwind(panic);
    }
}

/// Serves a phone on its own thread, like a separate process.
fn phone(seen: MemoryRecorder) -> String {
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(async {
            let options = sim_adb::Options {
                idle: std::time::Duration::ZERO,
                ..sim_adb::Options::default()
            };
            let daemon = Daemon::bind(options).await.expect("a phone");
            daemon
                .adb_phone()
                .record()
                .write_to(Box::new(seen), Passwords::Masked);
            tell.send(daemon.address().to_string())
                .expect("somebody waits");
            daemon.run().await;
        });
    });
    told.recv().expect("a phone")
}

async fn measure(server: &Server, setup: AdbSetup, serial: &str, seen: &MemoryRecorder) {
    server
        .attach(serial)
        .await
        .expect("the server takes the phone");
    let service = Service::new(Options {
        adb: setup,
        ..Options::default()
    });
    let tap =
        json!([{"id": "tap", "type": "click", "params": {"coordinate": {"x": 540, "y": 1300}}}]);
    let plan = testkit::plan("tap", tap);
    let (mut whole, mut ours) = (Vec::new(), Vec::new());
    for tap in 0..TAPS + 20 {
        let parsed = Execution::from_value(&plan).expect("the plan is valid");
        seen.phone_time();
        let clock = Instant::now();
        let answer = service
            .execute(Some(serial), parsed, CancellationToken::new(), &mut |_| {})
            .await;
        let took = clock.elapsed().as_secs_f64() * 1000.0;
        let answer = answer.unwrap_or_else(|error| panic!("{error}"));
        assert!(answer.envelope.is_success(), "{:?}", answer.envelope);
        if tap >= 20 {
            whole.push(took);
            ours.push(took - seen.phone_time());
        }
    }
    for (what, mut times) in [
        ("tap", whole),
        ("without the phone's own time (wanted 1 ms)", ours),
    ] {
        times.sort_by(f64::total_cmp);
        println!(
            "{what}: median {:.2} ms, p90 {:.2}",
            times[TAPS / 2],
            times[TAPS * 9 / 10]
        );
    }
}
