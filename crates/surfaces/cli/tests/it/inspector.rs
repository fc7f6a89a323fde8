//! The inspector page of `serve`: a phone is inspected through the page, which the same program drives as a web page.

use serde_json::{Value, json};

use crate::chrome::User;
use crate::serve::{TestServer, serve};

/// A user of a server's page.
struct PageUser {
    user: User,
    served: TestServer,
}

impl PageUser {
    /// A user with the page of a server started with these arguments.
    fn new(name: &str, arguments: &[&str]) -> Self {
        Self::at("sim", User::new(name), arguments)
    }

    /// The same for a device, with a separate browser.
    fn at(device: &str, user: User, arguments: &[&str]) -> Self {
        let (served, _) = serve(arguments, &[]);
        let person = Self { user, served };
        let url = format!("{}/#{device}", person.served.url);
        person
            .user
            .run(&["open", &url, "--device", "chrome"])
            .success();
        person
    }

    /// The result of these steps on the page.
    fn answers(&self, actions: &[Value]) -> Value {
        let mut actions = actions.to_vec();
        for (at, action) in actions.iter_mut().enumerate() {
            action["id"] = format!("s{at}").into();
        }
        let plan = json!({
            "commandId": "look", "taskId": "look", "source": "test",
            "expectedFormat": "android-ui-automator", "timeoutMs": 60000, "actions": actions,
        });
        let plan = plan.to_string();
        self.user
            .run(&["exec", &plan, "--device", "chrome"])
            .document()
    }

    /// Runs these steps on the page; each must succeed. Returns their data.
    fn does(&self, actions: &[Value]) -> Vec<Value> {
        let answer = self.answers(actions);
        assert_eq!(answer["envelope"]["status"], "success", "{answer}");
        let steps = answer["envelope"]["stepResults"].as_array().unwrap();
        steps
            .iter()
            .map(|step| {
                assert_eq!(step["success"], true, "{answer}");
                step["data"].clone()
            })
            .collect()
    }

    /// Whether these steps succeed.
    fn succeeds(&self, actions: &[Value]) -> bool {
        self.answers(actions)["envelope"]["status"] == "success"
    }

    /// The text at a selector of the page, once it exists.
    fn reads(&self, css: &str) -> String {
        let read = self.does(&[
            wait(css),
            json!({"type": "read_text", "params": {"matcher": {"css": css}}}),
        ]);
        read[1]["text"].as_str().unwrap().to_owned()
    }

    /// Bounds of an element of the page: left, top, right, bottom.
    fn bounds(&self, css: &str) -> [i64; 4] {
        let named = self
            .user
            .run(&["selectors", "--css", css, "--device", "chrome"])
            .success();
        let bounds = named["elements"][0]["bounds"].as_str().unwrap();
        let numbers = bounds
            .split(['[', ']', ','])
            .filter(|part| !part.is_empty());
        let numbers: Vec<i64> = numbers.map(|part| part.parse().unwrap()).collect();
        numbers.try_into().unwrap()
    }

    /// The brightness of the page, 0 to 255, in the lower right corner of an element.
    fn brightness(&self, css: &str) -> u8 {
        let file = self.user.file("page.png");
        self.does(&[
            json!({"type": "take_screenshot", "params": {"path": file.to_str().unwrap()}}),
        ]);
        let [_, _, right, bottom] = self.bounds(css);
        let reader = std::io::BufReader::new(std::fs::File::open(file).unwrap());
        let mut reader = png::Decoder::new(reader).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        let (x, y) = (right - 4, bottom - 4);
        let at = usize::try_from(y).unwrap() * info.line_size
            + usize::try_from(x).unwrap() * info.color_type.samples();
        let sum: u32 = pixels[at..at + 3].iter().map(|part| u32::from(*part)).sum();
        u8::try_from(sum / 3).unwrap()
    }

    /// Presses a key.
    fn presses(&self, key: &str) {
        self.does(&[json!({"type": "press_key", "params": {"key": key}})]);
    }

    /// The screen of the server's phone.
    fn phone(&self) -> String {
        let url = format!("{}/snapshot", self.served.url);
        crate::serve::curl(&["-X", "POST", &url])
    }
}

fn wait(css: &str) -> Value {
    json!({"type": "wait_for_node", "params": {"matcher": {"css": css}, "timeoutMs": 20000}})
}

fn click(css: &str) -> Value {
    json!({"type": "click", "params": {"matcher": {"css": css}}})
}

fn fill(css: &str, text: &str) -> Value {
    json!({"type": "enter_text", "params": {"matcher": {"css": css}, "text": text, "submit": true}})
}

/// An entry of the settings.
const CONNECTIONS: &str = "Connections";

#[test]
fn inspector_selects_node_and_records_flow() {
    let person = PageUser::new("inspector", &["--device", "sim"]);
    // Opens an app and selects one of its nodes in the tree.
    person.does(&[
        wait("#frame img"),
        fill("#open-what", "com.android.settings"),
        wait("#flow li"),
        fill("#search", CONNECTIONS),
        click("#tree .row:not(.off)"),
        wait("#node .selector"),
    ]);
    let best: Value = serde_json::from_str(&person.reads("#node .selector code")).unwrap();
    assert_eq!(best, json!({"textEquals": CONNECTIONS}));
    assert_eq!(person.reads("#node .selector .stability"), "75");
    // Clicking it changes the screen.
    person.does(&[click("#node-click"), wait("#flow li:nth-child(2)")]);
    assert_eq!(
        person.reads("#command"),
        "clawperator click --text Connections --device sim"
    );
    let phone = person.phone();
    assert!(phone.contains("Airplane mode"), "{phone}");
    // The recorded steps are a valid execution, with selectors instead of coordinates.
    person.does(&[click("#flow-plan summary"), wait("#flow-json")]);
    let flow: Value = serde_json::from_str(&person.reads("#flow-json")).unwrap();
    let parsed = contract::Execution::from_value(&flow).unwrap();
    assert_eq!(parsed.execution.actions().len(), 2);
    assert_eq!(flow["actions"][1]["params"], json!({"matcher": best}));
    // It can be repeated from the same screen.
    person.does(&[
        click("#flow-plan summary"),
        click("#record"),
        click("[data-key=back]"),
        click("[data-key=home]"),
        click("#flow-run"),
        wait("#flow-note .good"),
        wait("#flow .done:nth-child(2)"),
    ]);
    let phone = person.phone();
    assert!(phone.contains("Airplane mode"), "{phone}");
    let log = person.reads("#log .run:not(.look) summary");
    assert!(
        log.contains("success") && log.contains("open_app, click"),
        "{log}"
    );
}

#[test]
fn inspector_click_uses_best_selector() {
    let person = PageUser::new("picture", &["--device", "sim"]);
    person.does(&[
        wait("#frame img"),
        fill("#open-what", "com.android.settings"),
        wait("#flow li"),
    ]);
    let before = person.phone();
    // The center of the screen is a row of the list.
    person.does(&[
        click("#stage .pair label:last-child"),
        click("#frame"),
        wait("#flow li:nth-child(2)"),
    ]);
    assert_ne!(person.phone(), before);
    let command = person.reads("#command");
    assert!(
        command.starts_with("clawperator click --") && !command.contains("--coordinate"),
        "{command}"
    );
    // Descriptions find elements; missing ones are reported.
    person.does(&[
        click("[data-key=home]"),
        wait("#flow li:nth-child(3)"),
        fill("#try-what", "the mail app"),
        click("#try-answer li:first-child button"),
        wait("#node .selector"),
    ]);
    assert!(person.reads("#node .chosen").contains("Mail"));
    // All matches of a matcher are outlined and counted.
    person.does(&[
        json!({"type": "enter_text", "params": {"matcher": {"css": "#try-kind"}, "text": "Matcher"}}),
        fill("#try-what", "{\"resourceId\":\"com.android.launcher3:id/icon\"}"),
        wait("#try-answer li"),
    ]);
    let text = person.reads("#try-answer");
    assert!(text.contains("8 elements match"), "{text}");
    let outlined = person
        .user
        .run(&["selectors", "--css", "#marks rect", "--device", "chrome"])
        .success();
    // The selected one has its own outline.
    assert_eq!(outlined["count"], 8, "{outlined}");
    person.does(&[
        json!({"type": "enter_text", "params": {"matcher": {"css": "#try-kind"}, "text": "Description"}}),
        fill("#try-what", "flux capacitor"),
        wait("#try-answer .trouble"),
    ]);
    assert!(person.reads("#try-answer").contains("ELEMENT_NOT_FOUND"));
}

#[test]
fn inspector_asks_for_token() {
    let port = testkit::free_port().to_string();
    let arguments = ["--port", &port, "--device", "sim", "--token", "open-sesame"];
    let mut person = PageUser::new("token", &arguments);
    person.does(&[
        wait("#token-value"),
        fill("#token-value", "open-barley"),
        wait("#token-wrong"),
        fill("#token-value", "open-sesame"),
        wait("#frame img"),
    ]);
    assert_eq!(person.reads("#link"), "connected");
    person.served = person.served.end();
    person.does(&[
        wait("[data-server=gone] #link"),
        click("#again"),
        wait("#notice button"),
        // The previous screen stays.
        wait("#frame img"),
        wait("#tree .row"),
    ]);
    let notice = person.reads("#notice");
    assert!(notice.contains("The server is gone"), "{notice}");
    // The server restarts with another token.
    let arguments = ["--port", &port, "--device", "sim", "--token", "open-barley"];
    person.served = serve(&arguments, &[]).0;
    person.does(&[
        wait("#token-wrong"),
        fill("#token-value", "open-barley"),
        wait("[data-server=connected] #link"),
        wait("#view:not(.stale) #frame img"),
    ]);
}

#[test]
fn inspector_refreshes_busy_device_when_free() {
    let person = PageUser::new("busy", &["--device", "sim", "--sim-time", "real"]);
    person.does(&[wait("#frame img")]);
    let url = person.served.url.clone();
    let execute = format!("{url}/execute?wait=20000");
    let long = std::thread::spawn(move || {
        let plan = json!({ "execution": {
            "commandId": "long-one", "taskId": "t", "source": "test",
            "expectedFormat": "android-ui-automator", "timeoutMs": 110_000,
            "actions": [{"id": "s", "type": "sleep", "params": {"durationMs": 100_000}}],
        }});
        crate::serve::curl(&[
            "-X",
            "POST",
            "-H",
            "content-type: application/json",
            "-d",
            &plan.to_string(),
            &execute,
        ])
    });
    person.does(&[
        wait("#log .run:not(.look)"),
        click("#again"),
        wait("#notice button"),
    ]);
    let notice = person.reads("#notice");
    assert!(
        notice.contains("The device is busy") && notice.contains("long-one runs on it"),
        "{notice}"
    );
    person.does(&[wait(".stale #frame img"), wait("#tree .row")]);
    let run = format!("{url}/executions/long-one");
    crate::serve::curl(&["-X", "DELETE", &run]);
    person.does(&[wait("#view:not(.stale) #frame img")]);
    assert!(long.join().unwrap().contains("long-one"));
}

#[test]
fn inspector_reports_missing_device() {
    let person = PageUser::at("emulator-9999", User::new("missing"), &[]);
    person.does(&[wait("#notice button")]);
    let notice = person.reads("#notice");
    let text = "cannot reach device \"emulator-9999\"";
    assert!(
        notice.contains(text) && notice.contains("\"deviceId\": \"sim\""),
        "{notice}"
    );
    let listed = person.reads("#devices li:last-child");
    assert!(listed.contains("not listed"), "{listed}");
    // Available devices are one click away.
    person.does(&[click("#devices li:first-child button"), wait("#frame img")]);
}

#[test]
fn inspector_follows_colour_scheme() {
    for (name, flags, dark) in [
        ("dark", "--blink-settings=preferredColorScheme=0", true),
        ("light", "--blink-settings=preferredColorScheme=1", false),
    ] {
        let user = User::with_flags(name, flags);
        let person = PageUser::at("sim", user, &["--device", "sim"]);
        person.does(&[wait("#frame img")]);
        for part in ["#top", "#stage", "#log-part", "#node-part"] {
            let bright = person.brightness(part);
            assert_eq!(bright < 60, dark, "{name} {part}: {bright}");
            assert_eq!(bright > 200, !dark, "{name} {part}: {bright}");
        }
    }
}

#[test]
fn inspector_layout_fits_window_sizes() {
    const PARTS: [&str; 6] = [
        "#top",
        "#side",
        "#stage",
        "#tree-part",
        "#node-part",
        "#log-part",
    ];
    for (size, width) in [("1280x800", 1280), ("1920x1080", 1920)] {
        let user = User::new(size);
        user.run(&["chrome", "start", "--size", size]).success();
        let person = PageUser::at("sim", user, &["--device", "sim"]);
        person.does(&[
            wait("#frame img"),
            fill("#try-what", "the mail app"),
            click("#try-answer li:first-child button"),
            wait("#node .selector"),
        ]);
        let [_, _, right, height] = person.bounds("body");
        assert_eq!(right, width);
        let parts = PARTS.map(|part| (part, person.bounds(part)));
        for (at, (part, [left, top, right, bottom])) in parts.iter().enumerate() {
            assert!(
                *left >= 0 && *top >= 0 && *right <= width && *bottom <= height,
                "{size} {part}"
            );
            assert!(right - left >= 240 && bottom - top >= 36, "{size} {part}");
            for (other, [l, t, r, b]) in &parts[at + 1..] {
                let apart = right <= l || r <= left || bottom <= t || b <= top;
                assert!(apart, "{size}: {part} and {other} lie on each other");
            }
        }
        // No element overflows its panel.
        for (part, inside) in [
            (
                "#stage",
                ["#frame", "#again", "#command-copy", "#open-what"],
            ),
            (
                "#tree-part",
                ["#try button", "#search", "#tree", "#tree-count"],
            ),
            (
                "#node-part",
                ["#node-wait", "#node-click", "#node", "#node-long"],
            ),
            (
                "#side",
                ["#flow-clear", "#devices-again", "#record", "#flow-run"],
            ),
        ] {
            let [left, top, right, bottom] = person.bounds(part);
            for one in inside {
                let [l, t, r, b] = person.bounds(one);
                let within = left <= l && top <= t && r <= right && b <= bottom;
                assert!(
                    within && l < r && t < b,
                    "{size}: {one} is not within {part}"
                );
            }
        }
        let [_, top, _, bottom] = person.bounds("#frame");
        assert!((bottom - top) * 2 > height, "{size}: the picture is small");
    }
}

#[test]
fn inspector_works_with_keyboard() {
    let person = PageUser::new("keys", &["--device", "sim"]);
    person.does(&[wait("#frame img"), wait("#tree .row")]);
    let focus = |css: &str| {
        // Each press moves the focus by one element.
        for _ in 0..60 {
            let focused = json!({"matcher": {"css": format!("{css}:focus")}, "timeoutMs": 1, "retry": {"maxAttempts": 1}});
            if person.succeeds(&[
                json!({"type": "press_key", "params": {"key": "tab"}}),
                json!({"type": "wait_for_node", "params": focused}),
            ]) {
                return;
            }
        }
        panic!("{css} is not reached");
    };
    focus("#search");
    // From the search field it moves to the first match.
    person.does(&[fill("#search", "Mail"), wait("#tree .row:focus")]);
    person.presses("enter");
    person.does(&[wait("#node .selector")]);
    focus("#node-wait");
    person.presses("enter");
    person.does(&[wait("#flow li")]);
    focus("#flow-run");
    person.presses("enter");
    person.does(&[wait("#flow-note .good")]);
}
