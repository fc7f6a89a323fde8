//! The files of screenshots: pictures are replaced, other files only on request.

use std::fs;

use crate::chrome::User;
use crate::run::{assert_has, run};

#[test]
fn non_png_is_overwritten_only_with_force() {
    let folder = testkit::TempFolder::new("pictures");
    let profile = folder.join(".bashrc");
    fs::write(&profile, "export A=1\n").unwrap();
    let path = profile.to_str().unwrap();
    let actions = serde_json::json!([
        {"id": "1", "type": "press_key", "params": {"key": "back"}},
        {"id": "2", "type": "take_screenshot", "params": {"path": path}},
    ]);
    let plan = testkit::plan("c", actions).to_string();
    for command in [&["screenshot", "--path", path][..], &["exec", &plan]] {
        let refused = run(&[command, &["--device", "sim"]].concat()).failure("INVALID_PATH");
        let message = refused["message"].as_str().unwrap();
        assert!(
            message.contains(path) && message.contains("not a PNG"),
            "{message}"
        );
        assert_has(&refused, "hint", "--force");
        assert_eq!(fs::read(&profile).unwrap(), b"export A=1\n");
    }
    for command in [&["screenshot", "--path", path][..], &["exec", &plan]] {
        fs::write(&profile, "export A=1\n").unwrap();
        run(&[command, &["--device", "sim", "--force"]].concat()).success();
        assert!(fs::read(&profile).unwrap().starts_with(b"\x89PNG"));
        // It is a picture now.
        run(&[command, &["--device", "sim"]].concat()).success();
    }
}

/// The width and height in the header of a PNG file.
fn size(png: &[u8]) -> [u32; 2] {
    assert!(png.starts_with(b"\x89PNG"));
    [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()))
}

#[test]
fn ending_of_the_path_chooses_the_format() {
    let folder = testkit::TempFolder::new("formats");
    let path = folder.join("screen.jpg");
    let path = path.to_str().unwrap();
    for args in [&[][..], &["--max-side", "600"]] {
        let command = [&["screenshot", "--path", path, "--device", "sim"], args].concat();
        run(&command).success();
        assert!(fs::read(path).unwrap().starts_with(b"\xff\xd8\xff"));
    }
    let user = User::new("jpeg");
    user.open("Shop", "<div style='height:3000px'>Long</div>");
    let shot = ["screenshot", "--path", path, "--device", "chrome"];
    for args in [&[][..], &["--full-page"], &["--max-side", "300"]] {
        user.run(&[&shot, args].concat()).success();
        assert!(fs::read(path).unwrap().starts_with(b"\xff\xd8\xff"));
    }
    let gif = folder.join("screen.gif");
    let command = [
        "screenshot",
        "--path",
        gif.to_str().unwrap(),
        "--device",
        "sim",
    ];
    let refused = run(&command).failure("EXECUTION_VALIDATION_FAILED");
    assert_has(&refused, "message", "must end in .png, .jpg or .jpeg");
    assert!(!gif.exists());
}

#[test]
fn element_of_a_page_is_cut_out_in_device_pixels() {
    let user = User::with_flags("picture", "--force-device-scale-factor=2");
    user.open(
        "Shop",
        "<style>button{position:absolute;left:9px;top:2000px;width:120px;height:40px}</style><button>Save</button>",
    );
    let file = user.file("save.png");
    let path = file.to_str().unwrap();
    let shot = [
        "screenshot",
        "--text",
        "Save",
        "--path",
        path,
        "--device",
        "chrome",
    ];
    let taken = user.run(&shot).success();
    let data = &taken["envelope"]["stepResults"][0]["data"];
    assert_eq!(data.get("clipped"), None, "{taken}");
    assert_eq!(size(&fs::read(&file).unwrap()), [240, 80]);
    let whole = [&shot[..], &["--full-page"]].concat();
    user.run(&whole).failure("USAGE");
}

#[test]
fn marks_are_the_references_of_the_next_command() {
    let user = User::new("marks");
    user.open("Shop", "<button>Buy</button><a href=/help>Help</a><p>Text");
    let marks = ["screenshot", "--marks", "--device", "chrome"];
    let mut drawn = serde_json::Value::Null;
    crate::run::until("the daemon gives references", || {
        drawn = user.run(&marks).document();
        drawn["envelope"]["status"] == "success"
    });
    let data = &drawn["envelope"]["stepResults"][0]["data"];
    assert_eq!(data["marks"], "2", "{drawn}");
    let seen = user.run("snapshot --view text --device chrome");
    assert_eq!(seen.exit, 0, "{}", seen.stdout);
    for line in ["button \"Buy\" e1", "link \"Help\" e2"] {
        assert!(seen.stdout.contains(line), "{}", seen.stdout);
    }
}
