//! The commands for apps of the simulated phone.

use std::path::{Path, PathBuf};

use testkit::TempFolder;

use crate::run::{RunOutput, Words, assert_has, finish, program, run};

/// A temporary directory in which the program runs.
pub(crate) struct Folder(TempFolder);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        Self(TempFolder::new(name))
    }

    /// Runs the program in the folder.
    pub(crate) fn run(&self, arguments: &(impl Words + ?Sized)) -> RunOutput {
        finish(
            program().args(arguments.words()).current_dir(&*self.0),
            None,
        )
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).unwrap()
    }
}

fn screen(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../core/uitree/testdata/screens");
    folder.join(name).to_str().unwrap().to_owned()
}

#[test]
fn new_app_is_valid_and_runs() {
    let folder = Folder::new("new");
    let made = folder.run("sim new 'my app.yaml'").success();
    assert_eq!(made["created"]["package"], "com.example.myapp");
    folder
        .run("sim new 'my app.yaml'")
        .failure("SIM_FILE_NOT_WRITTEN");
    folder.run("sim new 'my app.yaml' --force").success();
    folder
        .run("sim new no/such/folder.yaml")
        .failure("SIM_FILE_NOT_WRITTEN");
    let checked = folder.run("sim check 'my app.yaml'").success();
    assert_eq!(checked["apps"][0]["label"], "My app");
    assert_eq!(checked["apps"][0]["start"], "home");
    assert_eq!(checked["apps"][0]["screens"][1]["params"][0], "from");
    let device = ["--device", "sim:my app.yaml"];
    let answer = folder
        .run(&["read", "--text-contains", "0 taps", device[0], device[1]])
        .success();
    let step = &answer["envelope"]["stepResults"][0];
    assert_eq!(step["data"]["text"], "0 taps");
    // Files of built-in apps and of this one are found from any folder.
    folder.run("snapshot --device sim:.").success();
    // Replacing a built-in app gives a warning.
    let shop = folder.run("sim new shop.yaml").success();
    assert_eq!(shop["created"]["package"], "com.example.shop.own");
    folder.write(
        "mine.yaml",
        "app: com.example.shop\nstart: home\nscreens: { home: { body: [button: { text: A, on_click: { dialog: { name: ask, with: { who: Ada } } } }] } }\ndialogs: { ask: { params: [who], title: \"{who}?\" } }\n",
    );
    let checked = folder.run("sim check mine.yaml").success();
    let app = &checked["apps"][0];
    assert_eq!(app["warnings"][0]["path"], "app", "{app}");
    assert_eq!(app["dialogs"][0]["params"][0], "who", "{app}");
}

#[test]
fn problems_are_listed_for_every_file() {
    let folder = Folder::new("check");
    folder.write(
        "a.yaml",
        "app: com.test.a\nstart: home\nscreens: { home: {} }\n",
    );
    folder.write(
        "b.yaml",
        "app: com.test.b\nstart: hom\nscreens:\n  home:\n    body: [ { txt: x } ]\n",
    );
    folder.run("sim check a.yaml").success();
    let ran = folder.run("sim check . nothing.yaml --verbose");
    let error = ran.failure("SIM_APP_INVALID");
    let problems = error["details"]["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 3, "{error}");
    assert_eq!(problems[0]["line"], 2);
    assert!(
        problems[1]["message"]
            .as_str()
            .unwrap()
            .contains("did you mean `text`")
    );
    assert_eq!(problems[2]["file"], "nothing.yaml");
    assert_eq!(ran.stderr.lines().count(), 3, "{}", ran.stderr);
    assert!(ran.stderr.contains("b.yaml:2:"), "{}", ran.stderr);
    folder.write(
        "c.yaml",
        "app: com.test.a\nstart: home\nscreens: { home: {} }\n",
    );
    let twins = folder
        .run("sim check a.yaml c.yaml")
        .failure("SIM_APP_INVALID");
    assert_has(&twins, "message", "same package");
}

#[test]
fn unused_parts_are_warnings() {
    let folder = Folder::new("warnings");
    folder.write(
        "a.yaml",
        "app: com.test.a\nstart: home\nstate: { spare: 1 }\nactions: { idle: pop }\nscreens: { home: {}, attic: {} }\n",
    );
    let ran = folder.run("sim check a.yaml --verbose");
    let checked = ran.success();
    let warnings = checked["apps"][0]["warnings"].as_array().unwrap();
    let messages: Vec<&str> = warnings
        .iter()
        .map(|warning| warning["message"].as_str().unwrap())
        .collect();
    assert_eq!(messages.len(), 3, "{checked}");
    assert_eq!(
        (&warnings[0]["file"], &warnings[0]["line"]),
        (&"a.yaml".into(), &3.into())
    );
    assert!(ran.stderr.contains("! a.yaml:3:"), "{}", ran.stderr);
    // Nothing is listed for an app without any.
    folder.write(
        "b.yaml",
        "app: com.test.b\nstart: home\nscreens: { home: {} }\n",
    );
    let checked = folder.run("sim check b.yaml").success();
    assert!(checked["apps"][0].get("warnings").is_none(), "{checked}");
}

#[test]
fn app_rotates_with_phone() {
    let folder = Folder::new("turned");
    folder.run("sim new hello.yaml").success();
    let seen = |more: &[&str]| {
        let mut argv = vec!["snapshot", "--device", "sim:hello.yaml"];
        argv.extend_from_slice(more);
        let document = folder.run(&argv).success();
        let text = &document["envelope"]["stepResults"][0]["data"]["text"];
        text.as_str().unwrap().to_owned()
    };
    assert!(seen(&[]).contains("[0,0][1080,2340]"));
    let turned = seen(&["--sim-rotation", "landscape"]);
    assert!(turned.contains("[0,0][2340,1080]"), "{turned}");
    // It slides in from the right.
    let moving = seen(&["--sim-rotation", "landscape", "--sim-animations", "on"]);
    assert!(moving.contains("[1080,0][2340,1080]"), "{moving}");
}

#[test]
fn faults_are_listed_with_syntax() {
    let list = run("sim faults").success();
    let faults = list["faults"].as_array().unwrap();
    assert!(faults.len() > 10, "{list}");
    for fault in faults {
        let example = fault["example"].as_str().unwrap();
        let mut setup = service::SimSetup::default();
        assert_eq!(setup.fault(example), Ok(()), "{example}");
        let name = fault["name"].as_str().unwrap();
        let one = run(&["sim", "faults", name]).success();
        assert_eq!(
            one["faults"].as_array().unwrap().as_slice(),
            std::slice::from_ref(fault)
        );
    }
}

#[test]
fn screens_are_drawn_and_printed() {
    let folder = Folder::new("show");
    folder.run("sim new hello.yaml").success();
    let shown = folder.run("sim show hello.yaml").success();
    assert_eq!(shown["pictures"][0]["path"], "home.png");
    assert!(folder.read("home.png").starts_with(b"\x89PNG"));
    // Drawing again gives the same picture; the dark theme gives another.
    let light = folder.read("home.png");
    folder.run("sim show hello.yaml").success();
    assert_eq!(folder.read("home.png"), light);
    folder.run("sim show hello.yaml --theme dark").success();
    assert_ne!(folder.read("home.png"), light);
    // A file that is not a picture is not replaced.
    folder.write("notes.png", "no picture");
    folder
        .run("sim show hello.yaml --out notes.png")
        .failure("SIM_FILE_NOT_WRITTEN");
    folder
        .run("sim show hello.yaml --out hello.yaml")
        .failure("USAGE");

    let all = folder.run("sim show hello.yaml --all --out .").success();
    let pages: Vec<&str> = all["pictures"]
        .as_array()
        .unwrap()
        .iter()
        .map(|picture| picture["page"].as_str().unwrap())
        .collect();
    assert_eq!(pages, ["home", "more", "sure"]);
    // The folder is created; each dialog has its own file.
    folder
        .run("sim show hello.yaml --all --out new/pictures")
        .success();
    assert!(folder.0.join("new/pictures/home.sure.png").is_file());
    let tree = |more: &[&str]| {
        let mut argv = vec!["sim", "show", "hello.yaml", "--tree"];
        argv.extend_from_slice(more);
        let ran = folder.run(&argv);
        assert_eq!(ran.exit, 0, "{}", ran.stdout);
        ran.stdout
    };
    assert!(tree(&["--screen", "more"]).contains("\"Nothing here yet, from.\""));
    assert!(
        tree(&["--screen", "more", "--with", "from=Ada"]).contains("\"Nothing here yet, Ada.\"")
    );
    assert!(tree(&["--with", "name=Bob"]).contains("\"Hello, Bob!\""));
    assert!(tree(&["--dialog", "sure"]).contains("Start over?"));
    let plain = tree(&[]);
    assert!(plain.starts_with("screen 1080x2340"), "{plain}");
    for look in [["--language", "ar"], ["--font-scale", "1.3"]] {
        assert_ne!(tree(&look), plain, "{look:?}");
    }
    let turned = tree(&["--rotation", "landscape"]);
    assert!(turned.starts_with("screen 2340x1080"), "{turned}");
    for (argv, message) in [
        ("--screen mor", "did you mean `more`"),
        ("--dialog sur", "did you mean `sure`"),
        ("--with form=x --screen more", "did you mean `from`"),
        ("--with from", "name=value"),
        ("--all --screen more", "not both"),
        ("--theme blue", "light or dark"),
        ("--after soon", "milliseconds"),
        ("--language arabic", "language tag"),
        ("--font-scale 9", "from 0.85 to 2"),
        ("--rotation up", "reverse_landscape"),
    ] {
        let error = folder
            .run(&format!("sim show hello.yaml {argv}"))
            .failure("USAGE");
        assert_has(&error, "message", message);
    }
    folder
        .run("sim show nothing.yaml")
        .failure("SIM_APP_INVALID");
}

#[test]
fn dumps_become_app() {
    let folder = Folder::new("import");
    let (views, settings) = (screen("040-views.xml"), screen("026-settings.xml"));
    let name = format!("home={views}");
    let mut argv = vec![
        "sim",
        "import",
        &views,
        &settings,
        "--name",
        &name,
        "--name",
        "",
        "--tap",
        "home: text=Vujime -> settings",
        "--package",
        "com.test.imported",
        "--out",
        "app.yaml",
    ];
    folder.run(&argv).failure("USAGE");
    let settings_name = format!("settings={settings}");
    argv[7] = &settings_name;
    let imported = folder.run(&argv).success();
    assert_eq!(imported["imported"]["taps"], 1);
    assert_eq!(imported["imported"]["screens"][0]["nodes"], 69);
    folder.run(&argv).failure("SIM_FILE_NOT_WRITTEN");
    folder.run("sim check app.yaml").success();
    let device = "sim:app.yaml";
    let answer = folder.run(&["snapshot", "--device", device]).success();
    let xml = answer["envelope"]["stepResults"][0]["data"]["text"]
        .as_str()
        .unwrap();
    assert_eq!(xml.matches("<node ").count(), 69);
    folder
        .run(&["click", "--text", "Vujime", "--device", device])
        .success();

    // With a picture, the imported screen shows only the picture.
    let picture = folder.run("sim show app.yaml --screen settings --out shot.png");
    picture.success();
    let pictured = format!("settings={}", "shot.png");
    folder
        .run(&format!(
            "sim import '{settings}' --name '{settings_name}' --picture {pictured} --out two.yaml"
        ))
        .success();
    assert!(
        String::from_utf8(folder.read("two.yaml"))
            .unwrap()
            .contains("picture: \"shot.png\"")
    );
    folder.run("sim show two.yaml").success();
    // A file from another folder is copied, unless a different file exists.
    std::fs::create_dir(folder.0.join("apart")).unwrap();
    let apart = |out: &str| {
        folder.run(&format!(
            "sim import '{settings}' --picture shot.png --out {out}"
        ))
    };
    apart("apart/three.yaml").success();
    assert_eq!(folder.read("apart/shot.png"), folder.read("shot.png"));
    folder.run("sim check apart/three.yaml").success();
    folder.write("apart/shot.png", "mine");
    apart("apart/four.yaml").failure("SIM_APP_INVALID");
    assert_eq!(folder.read("apart/shot.png"), b"mine");
    std::fs::remove_file(folder.0.join("shot.png")).unwrap();
    let gone = folder.run("sim check two.yaml").failure("SIM_APP_INVALID");
    assert_has(&gone, "message", "shot.png");

    let broken = screen("malformed/02-error-idle-state.xml");
    folder
        .run(&["sim", "import", &broken, "--out", "x.yaml"])
        .failure("SIM_APP_INVALID");
    let error = folder
        .run(&format!(
            "sim import '{settings}' --tap 'text=Nope -> back' --out x.yaml"
        ))
        .failure("USAGE");
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .starts_with("`text=Nope -> back`: "),
        "{error}"
    );
    assert!(!folder.0.join("x.yaml").exists());
}

#[test]
fn groups_and_members_are_distinguished() {
    let list = run("sim apps").success();
    let apps = list["apps"].as_array().unwrap();
    assert!(
        apps.iter()
            .any(|app| app["package"] == "com.android.settings")
    );
    assert!(
        apps.iter()
            .all(|app| !app["purpose"].as_str().unwrap().is_empty())
    );
    let forms = apps
        .iter()
        .find(|app| app["package"] == "com.example.forms")
        .unwrap();
    let links = forms["links"].as_array().unwrap();
    assert!(links.contains(&"forms://registration".into()), "{forms}");
    let help = run("help sim check").stdout;
    assert!(
        help.contains("clawperator sim check <file or dir>…"),
        "{help}"
    );
    assert_eq!(run("sim check --help").stdout, help);
    let group = run("sim --help").stdout;
    assert_eq!(run("help sim").stdout, group);
    for member in [
        "sim new",
        "sim check",
        "sim show",
        "sim import",
        "sim apps",
        "sim faults",
    ] {
        assert!(
            group.contains(&format!("\n  {member}")),
            "{member}: {group}"
        );
    }
}
