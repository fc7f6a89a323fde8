//! The files of screenshots: pictures are replaced, other files only on request.

use std::fs;

use crate::run::run;

#[test]
fn non_png_is_overwritten_only_with_force() {
    let folder = std::env::temp_dir().join(format!("cli-pictures-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let profile = folder.join(".bashrc");
    fs::write(&profile, "export A=1\n").unwrap();
    let path = profile.to_str().unwrap();
    let plan = format!(
        r#"{{"commandId":"c","taskId":"t","source":"s","expectedFormat":"android-ui-automator","timeoutMs":5000,"actions":[{{"id":"1","type":"press_key","params":{{"key":"back"}}}},{{"id":"2","type":"take_screenshot","params":{{"path":"{path}"}}}}]}}"#
    );
    for command in [&["screenshot", "--path", path][..], &["exec", &plan]] {
        let refused = run(&[command, &["--device", "sim"]].concat()).failure("INVALID_PATH");
        let message = refused["message"].as_str().unwrap();
        assert!(
            message.contains(path) && message.contains("not a PNG"),
            "{message}"
        );
        assert!(
            refused["hint"].as_str().unwrap().contains("--force"),
            "{refused}"
        );
        assert_eq!(fs::read(&profile).unwrap(), b"export A=1\n");
    }
    for command in [&["screenshot", "--path", path][..], &["exec", &plan]] {
        fs::write(&profile, "export A=1\n").unwrap();
        run(&[command, &["--device", "sim", "--force"]].concat()).success();
        assert!(fs::read(&profile).unwrap().starts_with(b"\x89PNG"));
        // It is a picture now.
        run(&[command, &["--device", "sim"]].concat()).success();
    }
    fs::remove_dir_all(folder).unwrap();
}
