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

    /// A user with the page of a server for a device, and a separate browser.
    fn at(device: &str, user: User, arguments: &[&str]) -> Self {
        let (served, _) = serve(arguments, &[]);
        let user = Self { user, served };
        let url = format!("{}/#{device}", user.served.url);
        user.user
            .run(&["open", &url, "--device", "chrome"])
            .success();
        user
    }

    /// Runs these steps on the page; returns the result.
    fn execute(&self, actions: &[Value]) -> Value {
        let mut actions = actions.to_vec();
        for (at, action) in actions.iter_mut().enumerate() {
            action["id"] = format!("s{at}").into();
        }
        let mut plan = testkit::plan("look", actions.into());
        plan["timeoutMs"] = 60_000.into();
        let plan = plan.to_string();
        self.user
            .run(&["exec", &plan, "--device", "chrome"])
            .document()
    }

    /// Runs these steps on the page; each must succeed. Returns their data.
    fn run_steps(&self, actions: &[Value]) -> Vec<Value> {
        let answer = self.execute(actions);
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
        self.execute(actions)["envelope"]["status"] == "success"
    }

    /// The text at a selector of the page, once it exists.
    fn text(&self, css: &str) -> String {
        let read = self.run_steps(&[
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
        self.run_steps(&[
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
    fn press_key(&self, key: &str) {
        self.run_steps(&[json!({"type": "press_key", "params": {"key": key}})]);
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
    let user = PageUser::new("inspector", &["--device", "sim"]);
    // Opens an app and selects one of its nodes in the tree.
    user.run_steps(&[
        wait("#frame img"),
        fill("#open-what", "com.android.settings"),
        wait("#flow li"),
        fill("#search", CONNECTIONS),
        click("#tree .row:not(.off)"),
        wait("#node .selector"),
    ]);
    let best: Value = serde_json::from_str(&user.text("#node .selector code")).unwrap();
    assert_eq!(best, json!({"textEquals": CONNECTIONS}));
    assert_eq!(user.text("#node .selector .stability"), "75");
    // Clicking it changes the screen.
    user.run_steps(&[click("#node-click"), wait("#flow li:nth-child(2)")]);
    assert_eq!(
        user.text("#command"),
        "clawperator click --text Connections --device sim"
    );
    let phone = user.phone();
    assert!(phone.contains("Airplane mode"), "{phone}");
    // The recorded steps are a valid execution, with selectors instead of coordinates.
    user.run_steps(&[click("#flow-plan summary"), wait("#flow-json")]);
    let flow: Value = serde_json::from_str(&user.text("#flow-json")).unwrap();
    let parsed = contract::Execution::from_value(&flow).unwrap();
    assert_eq!(parsed.execution.actions().len(), 2);
    assert_eq!(flow["actions"][1]["params"], json!({"matcher": best}));
    // It can be repeated from the same screen.
    user.run_steps(&[
        click("#flow-plan summary"),
        click("#record"),
        click("[data-key=back]"),
        click("[data-key=home]"),
        click("#flow-run"),
        wait("#flow-note .good"),
        wait("#flow .done:nth-child(2)"),
    ]);
    let phone = user.phone();
    assert!(phone.contains("Airplane mode"), "{phone}");
    let log = user.text("#log .run:not(.read) summary");
    assert!(
        log.contains("success") && log.contains("open_app, click"),
        "{log}"
    );
}

#[test]
fn inspector_click_uses_best_selector() {
    let user = PageUser::new("picture", &["--device", "sim"]);
    user.run_steps(&[
        wait("#frame img"),
        fill("#open-what", "com.android.settings"),
        wait("#flow li"),
    ]);
    let before = user.phone();
    // The center of the screen is a row of the list.
    user.run_steps(&[
        click("#stage .pair label:last-child"),
        click("#frame"),
        wait("#flow li:nth-child(2)"),
    ]);
    assert_ne!(user.phone(), before);
    let command = user.text("#command");
    assert!(
        command.starts_with("clawperator click --") && !command.contains("--coordinate"),
        "{command}"
    );
    // Descriptions find elements; missing ones are reported.
    user.run_steps(&[
        click("[data-key=home]"),
        wait("#flow li:nth-child(3)"),
        fill("#try-what", "the mail app"),
        click("#try-answer li:first-child button"),
        wait("#node .selector"),
    ]);
    assert!(user.text("#node .chosen").contains("Mail"));
    // All matches of a matcher are outlined and counted.
    user.run_steps(&[
        json!({"type": "enter_text", "params": {"matcher": {"css": "#try-kind"}, "text": "Matcher"}}),
        fill("#try-what", "{\"resourceId\":\"com.android.launcher3:id/icon\"}"),
        wait("#try-answer li"),
    ]);
    let text = user.text("#try-answer");
    assert!(text.contains("8 elements match"), "{text}");
    let outlined = user
        .user
        .run(&["selectors", "--css", "#marks rect", "--device", "chrome"])
        .success();
    // The selected one has its own outline.
    assert_eq!(outlined["count"], 8, "{outlined}");
    user.run_steps(&[
        json!({"type": "enter_text", "params": {"matcher": {"css": "#try-kind"}, "text": "Description"}}),
        fill("#try-what", "flux capacitor"),
        wait("#try-answer .error"),
    ]);
    assert!(user.text("#try-answer").contains("ELEMENT_NOT_FOUND"));
}

#[test]
fn inspector_loads_selectors_of_node_selected_during_refresh() {
    let user = PageUser::new("reread", &["--device", "sim"]);
    user.run_steps(&[wait("#frame img")]);
    // The only candidate is selected at once.
    user.run_steps(&[
        click("#again"),
        fill("#try-what", "settings"),
        wait("#node .selector"),
    ]);
    assert!(user.text("#node .chosen").contains("Settings"));
}

#[test]
fn inspector_asks_for_token() {
    let port = testkit::free_port().to_string();
    let arguments = ["--port", &port, "--device", "sim", "--token", "open-sesame"];
    let mut user = PageUser::new("token", &arguments);
    user.run_steps(&[
        wait("#token-value"),
        fill("#token-value", "open-barley"),
        wait("#token-wrong"),
        fill("#token-value", "open-sesame"),
        wait("#frame img"),
    ]);
    assert_eq!(user.text("#link"), "connected");
    user.served = user.served.end();
    user.run_steps(&[
        wait("[data-server=gone] #link"),
        click("#again"),
        wait("#notice button"),
        // The previous screen stays.
        wait("#frame img"),
        wait("#tree .row"),
    ]);
    let notice = user.text("#notice");
    assert!(notice.contains("The server is gone"), "{notice}");
    // The server restarts with another token.
    let arguments = ["--port", &port, "--device", "sim", "--token", "open-barley"];
    user.served = serve(&arguments, &[]).0;
    user.run_steps(&[
        wait("#token-wrong"),
        fill("#token-value", "open-barley"),
        wait("[data-server=connected] #link"),
        wait("#view:not(.stale) #frame img"),
    ]);
}

#[test]
fn inspector_refreshes_busy_device_when_free() {
    let user = PageUser::new("busy", &["--device", "sim", "--sim-time", "real"]);
    user.run_steps(&[wait("#frame img")]);
    let url = user.served.url.clone();
    let execute = format!("{url}/execute?wait=20000");
    let long = std::thread::spawn(move || {
        let sleep = json!([{"id": "s", "type": "sleep", "params": {"durationMs": 100_000}}]);
        let mut plan = json!({ "execution": testkit::plan("long-one", sleep) });
        plan["execution"]["timeoutMs"] = 110_000.into();
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
    user.run_steps(&[
        wait("#log .run:not(.read)"),
        click("#again"),
        wait("#notice button"),
    ]);
    let notice = user.text("#notice");
    assert!(
        notice.contains("The device is busy") && notice.contains("long-one runs on it"),
        "{notice}"
    );
    user.run_steps(&[wait(".stale #frame img"), wait("#tree .row")]);
    let run = format!("{url}/executions/long-one");
    crate::serve::curl(&["-X", "DELETE", &run]);
    user.run_steps(&[wait("#view:not(.stale) #frame img")]);
    assert!(long.join().unwrap().contains("long-one"));
}

#[test]
fn inspector_reports_missing_device() {
    let user = PageUser::at("emulator-9999", User::new("missing"), &[]);
    user.run_steps(&[wait("#notice button")]);
    let notice = user.text("#notice");
    let text = "cannot reach device \"emulator-9999\"";
    assert!(
        notice.contains(text) && notice.contains("\"deviceId\": \"sim\""),
        "{notice}"
    );
    let listed = user.text("#devices li:last-child");
    assert!(listed.contains("not listed"), "{listed}");
    // Available devices are one click away.
    user.run_steps(&[click("#devices li:first-child button"), wait("#frame img")]);
}

#[test]
fn inspector_follows_colour_scheme() {
    for (name, flags, dark) in [
        ("dark", "--blink-settings=preferredColorScheme=0", true),
        ("light", "--blink-settings=preferredColorScheme=1", false),
    ] {
        let user = User::with_flags(name, flags);
        let user = PageUser::at("sim", user, &["--device", "sim"]);
        user.run_steps(&[wait("#frame img")]);
        for part in ["#top", "#stage", "#log-part", "#node-part"] {
            let bright = user.brightness(part);
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
        let user = PageUser::at("sim", user, &["--device", "sim"]);
        user.run_steps(&[
            wait("#frame img"),
            fill("#try-what", "the mail app"),
            click("#try-answer li:first-child button"),
            wait("#node .selector"),
        ]);
        let [_, _, right, height] = user.bounds("body");
        assert_eq!(right, width);
        let parts = PARTS.map(|part| (part, user.bounds(part)));
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
            let [left, top, right, bottom] = user.bounds(part);
            for one in inside {
                let [l, t, r, b] = user.bounds(one);
                let within = left <= l && top <= t && r <= right && b <= bottom;
                assert!(
                    within && l < r && t < b,
                    "{size}: {one} is not within {part}"
                );
            }
        }
        let [_, top, _, bottom] = user.bounds("#frame");
        assert!((bottom - top) * 2 > height, "{size}: the picture is small");
    }
}

#[test]
fn inspector_works_with_keyboard() {
    let user = PageUser::new("keys", &["--device", "sim"]);
    user.run_steps(&[wait("#frame img"), wait("#tree .row")]);
    let focus = |css: &str| {
        // Each press moves the focus by one element.
        for _ in 0..60 {
            let focused = json!({"matcher": {"css": format!("{css}:focus")}, "timeoutMs": 1, "retry": {"maxAttempts": 1}});
            if user.succeeds(&[
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
    user.run_steps(&[fill("#search", "Mail"), wait("#tree .row:focus")]);
    user.press_key("enter");
    user.run_steps(&[wait("#node .selector")]);
    focus("#node-wait");
    user.press_key("enter");
    user.run_steps(&[wait("#flow li")]);
    focus("#flow-run");
    user.press_key("enter");
    user.run_steps(&[wait("#flow-note .good")]);
}
