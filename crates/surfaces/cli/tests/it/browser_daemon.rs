//! The browser daemon: state that it keeps between commands, its end, and commands without it.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::web::Web;

use crate::chrome::{User, wait_for_result, warning_codes};
use crate::run::{finish, until, wait_for_value};

impl User {
    fn daemon_record(&self) -> Option<Value> {
        let folder = self.file("clawperator").join("browsers");
        let entries = std::fs::read_dir(folder).ok()?.flatten();
        let mut paths = entries.map(|entry| entry.path());
        let path = paths.find(|path| path.extension().is_some_and(|end| end == "daemon"))?;
        serde_json::from_slice(&std::fs::read(path).ok()?).ok()
    }

    /// The process of the daemon according to its record.
    fn daemon_process(&self) -> Option<Value> {
        Some(self.daemon_record()?["process"].clone())
    }

    /// Waits for a daemon whose process differs from `before`.
    pub(crate) fn wait_for_daemon(&self, before: Option<&Value>) -> Value {
        wait_for_value("the daemon runs", || {
            self.daemon_process().filter(|now| Some(now) != before)
        })
    }

    /// A running command that has pressed the button of [`COUNTS`], which set this title, and waits for a node that never
    /// appears.
    fn spawn_click_and_wait(&self, title: &str) -> Child {
        let mut plan = testkit::plan(
            "c",
            json!([
                {"id": "press", "type": "click", "params": {"matcher": {"textEquals": "Press"}}},
                {"id": "wait", "type": "wait_for_node",
                 "params": {"matcher": {"textEquals": "Never"}, "timeoutMs": 50_000}},
            ]),
        );
        plan["timeoutMs"] = 60_000.into();
        let running = self.spawn(&["exec", &plan.to_string(), "--device", "chrome"]);
        until("the first step was done", || {
            self.browsers()[0]["tabs"][0]["title"] == *title
        });
        running
    }
}

fn signal(process: &Value, signal: &str) {
    let pid = process["pid"].to_string();
    assert!(succeeds(Command::new("kill").args([signal, &pid])));
}

fn succeeds(command: &mut Command) -> bool {
    command.stderr(Stdio::null()).status().unwrap().success()
}

fn is_running(process: &Value) -> bool {
    succeeds(Command::new("kill").args(["-0", &process["pid"].to_string()]))
}

/// A page that reports its events in its title.
const COUNTS: &str = "<button onclick=\"document.title = 'Pressed ' + (n += 1)\">Press</button><script>n = 0</script>";

#[test]
fn dialog_between_commands_is_kept() {
    let user = User::new("between");
    user.run("chrome start").success();
    user.wait_for_daemon(None);
    user.open(
        "Later",
        "<button onclick=\"setTimeout(() => { document.title = 'Asks'; document.title = confirm('Delete it?') }, 300)\">Delete</button>",
    );
    let clicked = user.run("click --text Delete --device chrome").success();
    assert_eq!(warning_codes(&clicked), [""; 0]);
    until("the dialog is open", || {
        user.browsers()[0]["tabs"][0]["title"] == "Asks"
    });
    let accepted = user.run("click --text OK --device chrome");
    accepted.success();
    until("the page continues with the answer", || {
        user.browsers()[0]["tabs"][0]["title"] == "true"
    });
}

#[test]
fn references_of_one_command_are_pressed_by_the_next() {
    let user = User::new("references");
    user.open("Page", &format!("<button>Other</button>{COUNTS}"));
    user.wait_for_daemon(None);
    let last_word = |text: &str, line: &str| {
        let line = text.lines().find(|shown| shown.contains(line)).unwrap();
        line.rsplit(' ').next().unwrap().to_owned()
    };
    let shown = user.run("snapshot --view text --device chrome");
    let seen = last_word(&shown.stdout, "\"Press\"");
    let found = user.run("inspect 'the press button' --device chrome");
    let found = found.document();
    assert_eq!(found["elements"][0]["sessionRef"], seen, "{found}");
    let press = ["click", "--ref", &seen, "--device", "chrome"];
    user.run(&press).success();
    assert_eq!(user.browsers()[0]["tabs"][0]["title"], "Pressed 1");
}

/// A step may bring another tab to the front: what it printed is pressed there, and what was printed before is not.
#[test]
fn reference_is_never_an_element_of_another_tab() {
    let user = User::new("tab-references");
    let page = |title: &str, button: &str| {
        format!(
            "data:text/html,<title>{title}</title><button>Refresh</button><button onclick=\"document.title='{button}'\">{button}</button>"
        )
    };
    let text_after = |command: &[&str]| {
        let command = [command, &["--device", "chrome"]].concat();
        user.run(&command).stdout
    };
    let last_word = |text: &str, line: &str| {
        let line = text.lines().find(|shown| shown.contains(line)).unwrap();
        line.rsplit(' ').next().unwrap().to_owned()
    };
    let click = |reference: &str| {
        user.run(&["click", "--ref", reference, "--device", "chrome"])
            .document()
    };
    user.run(&["open", &page("First", "Help"), "--device", "chrome"])
        .success();
    user.wait_for_daemon(None);
    let help = last_word(&text_after(&["snapshot", "--view", "text"]), "\"Help\"");
    let second = page("Second", "Delete");
    let opened = [
        "tab",
        "open",
        "--url",
        &second,
        "--output",
        "line",
        "--observe",
        "screen",
    ];
    let delete = last_word(&text_after(&opened), "\"Delete\"");
    assert_ne!(help, delete);
    let shown = text_after(&["snapshot", "--view", "text"]);
    assert_eq!(last_word(&shown, "\"Delete\""), delete);
    assert_eq!(click(&help)["envelope"]["errorCode"], "REF_STALE");
    let chosen = [
        "tab",
        "choose",
        "--url-contains",
        "First",
        "--output",
        "line",
        "--observe",
        "screen",
    ];
    assert_eq!(last_word(&text_after(&chosen), "\"Help\""), help);
    assert_eq!(click(&delete)["envelope"]["errorCode"], "REF_STALE");
    assert_eq!(click(&help)["envelope"]["status"], "success");
    let tabs = user.browsers()[0]["tabs"].clone();
    let titles: Vec<&Value> = tabs
        .as_array()
        .unwrap()
        .iter()
        .map(|tab| &tab["title"])
        .collect();
    assert!(titles.contains(&&Value::from("Help")), "{tabs}");
    assert!(titles.contains(&&Value::from("Second")), "{tabs}");
}

/// The daemon runs in another folder than the command.
#[test]
fn relative_upload_is_a_file_of_the_commands_folder() {
    let user = User::new("upload");
    user.open(
        "Page",
        "<input type=file onchange='document.title = this.files[0].name'>",
    );
    user.wait_for_daemon(None);
    std::fs::write(user.file("letter.txt"), "Dear").unwrap();
    let mut command = user.command("upload letter.txt --css input --device chrome");
    command.current_dir(user.file("letter.txt").parent().unwrap());
    finish(&mut command, None).success();
    assert_eq!(user.browsers()[0]["tabs"][0]["title"], "letter.txt");
}

#[test]
fn killed_daemon_is_replaced() {
    let user = User::new("killed-daemon");
    user.open("Page", COUNTS);
    let first = user.wait_for_daemon(None);
    signal(&first, "-9");
    until("it is gone", || !is_running(&first));
    let press = ["click", "--text", "Press", "--device", "chrome"];
    user.run(&press).success();
    let second = user.wait_for_daemon(Some(&first));
    assert_ne!(second["pid"], first["pid"]);
    user.run(&press).success();
    assert_eq!(user.browsers()[0]["tabs"][0]["title"], "Pressed 2");
    // It ends with its browser.
    user.run("chrome stop").success();
    until("it has ended", || !is_running(&second));
    assert_eq!(user.daemon_process(), None);
}

#[test]
fn run_of_killed_daemon_has_unknown_outcome() {
    let user = User::new("cut");
    user.open("Page", COUNTS);
    let daemon = user.wait_for_daemon(None);
    let running = user.spawn_click_and_wait("Pressed 1");
    signal(&daemon, "-9");
    let lost = wait_for_result(running);
    assert_eq!(lost["code"], "DEVICE_LOST", "{lost}");
    assert_eq!(lost["details"]["dispatch"], "unknown", "{lost}");
    assert_eq!(lost["details"]["commandId"], "c", "{lost}");
    // Snapshots are retried without the daemon.
    let found = user.run("inspect 'the press button' --device chrome");
    assert!(found.success().to_string().contains("Press"));
}

#[test]
fn interrupted_command_cancels_run() {
    let user = User::new("interrupted");
    user.open("Page", COUNTS);
    user.wait_for_daemon(None);
    for (name, pressed) in [("-INT", "Pressed 1"), ("-TERM", "Pressed 3")] {
        let running = user.spawn_click_and_wait(pressed);
        let begun = Instant::now();
        signal(&json!({ "pid": running.id() }), name);
        let answer = wait_for_result(running);
        assert!(begun.elapsed() < Duration::from_secs(20));
        assert_eq!(answer["code"], "EXECUTION_CANCELLED", "{answer}");
        // The tab is free for the next command.
        let pressed = user.run("click --text Press --device chrome");
        pressed.success();
    }
    // The run of a killed command is cancelled, too.
    let mut running = user.spawn_click_and_wait("Pressed 5");
    running.kill().unwrap();
    running.wait().unwrap();
    until("the tab is free", || {
        let snapshot = user.run("snapshot --device chrome").document();
        snapshot["code"] != "EXECUTION_CONFLICT_IN_FLIGHT"
    });
}

#[test]
fn daemon_is_not_used_with_other_environment() {
    let user = User::new("surroundings");
    user.open("Page", COUNTS);
    let first = user.wait_for_daemon(None);
    let file = user.file("page.html");
    std::fs::write(&file, "<title>From a file</title>").unwrap();
    let url = format!("file://{}", file.display());
    let open = ["open", &url, "--device", "chrome"];
    let refused = user.run(&open).document();
    assert_ne!(refused["envelope"]["status"], "success", "{refused}");
    let mut allowed = user.command(&open);
    allowed.env("CLAWPERATOR_CHROME_FILES", "allow");
    let allowed = crate::run::finish(&mut allowed, None).success();
    assert_eq!(allowed["envelope"]["status"], "success", "{allowed}");
    let second = user.wait_for_daemon(Some(&first));
    let record = user.daemon_record().unwrap();
    assert_eq!(record["process"], second);
    assert_eq!(
        record["environment"]["variables"]["CLAWPERATOR_CHROME_FILES"],
        "allow"
    );
    until("the first has ended", || !is_running(&first));
    // Permissions are separate.
    let refused = user.run(&open).document();
    assert_ne!(refused["envelope"]["status"], "success", "{refused}");
}

#[test]
fn daemon_writes_files_and_reports_steps() {
    let user = User::new("files");
    user.open("Page", COUNTS);
    user.wait_for_daemon(None);
    let folder: PathBuf = user.file("pictures");
    std::fs::create_dir_all(&folder).unwrap();
    let mut shot = user.command("screenshot --path one.png --device chrome");
    shot.current_dir(&folder);
    crate::run::finish(&mut shot, None).success();
    let bytes = std::fs::read(folder.join("one.png")).unwrap();
    assert!(bytes.starts_with(b"\x89PNG"));
    let mut press = user.command("click --text Press --device chrome --verbose");
    let output = press.output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("click \"Press\""), "{stderr}");
}

#[test]
fn busy_page_error_is_same_with_daemon() {
    let (user, web) = (User::new("busy"), Web::start());
    web.page(
        "/",
        "<button onclick=\"setTimeout(() => { document.title = 'Begun'; for (;;); }, 100)\">Go</button>",
    );
    web.page("/after", "<p>well");
    let open = |path| user.run(&["open", &web.url(path), "--device", "chrome"]);
    open("/").success();
    user.wait_for_daemon(None);
    let clicked = user.run("click --text Go --device chrome");
    clicked.success();
    until("its scripts are busy", || {
        user.browsers()[0]["tabs"][0]["title"] == "Begun"
    });
    for command in [["click", "--css", "button"], ["read", "--text", "Go"]] {
        let rest = ["--device", "chrome", "--timeout", "1500"];
        let refused = user.run(&[&command[..], &rest].concat());
        let refused = refused.failure("CHROME_UNREACHABLE");
        let response = refused["message"].as_str().unwrap();
        assert!(response.contains("did not respond"), "{refused}");
    }
    open("/after").success();
    assert!(user.snapshot("chrome").contains("well"));
}

#[test]
fn unauthenticated_client_is_refused() {
    use std::io::{Read, Write};
    let user = User::new("unauthenticated");
    user.open("Page", COUNTS);
    let daemon = user.wait_for_daemon(None);
    let folder = user.file("clawperator").join("browsers");
    let socket = folder.join(daemon["address"].as_str().unwrap());
    let orders = [
        "stop a guess".to_owned(),
        json!({"secret": "a guess"}).to_string(),
        "{".to_owned(),
        "GET / HTTP/1.1".to_owned(),
    ];
    for order in orders {
        let mut socket = std::os::unix::net::UnixStream::connect(&socket).unwrap();
        writeln!(socket, "{order}").unwrap();
        let mut response = String::new();
        // It may disconnect before reading everything.
        let read = socket.read_to_string(&mut response);
        assert!(read.is_err() || response.is_empty(), "{order} {response}");
    }
    assert!(is_running(&daemon));
    assert!(user.snapshot("chrome").contains("Press"));
    assert_eq!(user.daemon_process(), Some(daemon));
}

/// The ports on which a process listens: those of its sockets that the kernel lists as listening.
fn ports(pid: &Value) -> Vec<String> {
    let open = std::fs::read_dir(format!("/proc/{pid}/fd")).unwrap();
    let open: Vec<String> = open
        .filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok())
        .map(|target| target.display().to_string())
        .collect();
    let mut ports = Vec::new();
    for table in ["tcp", "tcp6"] {
        let table = std::fs::read_to_string(format!("/proc/{pid}/net/{table}")).unwrap();
        for line in table.lines().skip(1) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let listens = words[3] == "0A";
            if listens && open.contains(&format!("socket:[{}]", words[9])) {
                ports.push(words[1].to_owned());
            }
        }
    }
    ports
}

#[cfg(target_os = "linux")]
#[test]
fn typed_text_never_goes_to_foreign_port() {
    let user = User::new("no-port");
    user.open("Page", "<input type=password aria-label=Secret>");
    let daemon = user.wait_for_daemon(None);
    assert_eq!(ports(&daemon["pid"]), [""; 0]);
    // A running phone listens on its adb port only.
    user.run("sim start").success();
    let phones = user.run("sim list").success();
    let phones = phones["phones"].as_array().unwrap().clone();
    assert_eq!(phones.len(), 1, "{phones:?}");
    assert_eq!(ports(&phones[0]["pid"]).len(), 1);
    user.run("sim stop --all").success();
    // If the daemon was killed, its socket is removed with the other files of the browser.
    signal(&daemon, "-9");
    user.run("chrome stop").success();
    let folder = user.file("clawperator").join("browsers");
    until("nothing is left of it", || {
        let left = std::fs::read_dir(&folder).unwrap().flatten();
        left.map(|entry| entry.file_name()).eq(["start.lock"])
    });
}
