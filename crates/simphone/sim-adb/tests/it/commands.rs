//! What the phone's programs say and do.

use tokio::io::AsyncReadExt;

use crate::world::*;

#[tokio::test]
async fn words_of_the_shell() {
    let world = World::with(quick()).await;
    for (command, said) in [
        ("echo a b  c", "a b c\n"),
        ("echo 'a  b' \"$HOME\" \\$x", "a  b / $x\n"),
        (": && echo yes || echo no", "yes\n"),
        ("nothing && echo yes || echo no", "no\n"),
        ("x=5; y=$((x + 2 - 1)); echo $y ${x}", "6 5\n"),
        (
            "if echo yes | grep -q yes; then echo full; else echo empty; fi",
            "full\n",
        ),
        ("if exit 3; then echo never; fi; echo $?", ""),
        ("{ echo a; echo b; } | grep b", "b\n"),
        ("echo $(echo in $(echo deep))", "in deep\n"),
        ("(exit 7); echo $?", "7\n"),
        ("nothing 2>/dev/null; echo $?", "127\n"),
        (
            "echo hi > /sdcard/f; echo ho >> /sdcard/f; cat < /sdcard/f",
            "hi\nho\n",
        ),
        ("echo err 1>&2 2>/dev/null | cat", ""),
    ] {
        let output = world.run(command).await;
        assert_eq!(output.text(), said, "{command}: {}", output.error_text());
    }
    let output = world.run("frobnicate").await;
    assert_eq!(
        (output.error_text().as_str(), output.status),
        ("/system/bin/sh: frobnicate: inaccessible or not found", 127)
    );
    assert_eq!(world.run("echo 'a").await.status, 1);
    assert_eq!(world.run("exit 42").await.status, 42);
    world.fails("sleep 1 &", "background").await;
}

#[tokio::test]
async fn scripts_that_grow_without_end_are_ended() {
    let world = World::app(FORMS).await;
    let doubled = format!("x=aaaaaaaa; {}", "x=$x$x; ".repeat(16));
    let names: String = (0..40).map(|n| format!("n{n}=$x; ")).collect();
    for (script, why) in [
        (
            format!("{doubled}{doubled}x=$x$x$x; echo done"),
            "a word has more than 1048576 bytes",
        ),
        (
            format!("{doubled}echo $x $x $x $x $x >/sdcard/f"),
            "Argument list too long",
        ),
        (
            format!("{doubled}{names}echo done"),
            "the names hold more than 16777216 bytes",
        ),
    ] {
        let output = world.run(&script).await;
        assert_eq!((output.text().as_str(), output.status), ("", 1), "{script}");
        assert!(
            output.error_text().contains(why),
            "{script}: {}",
            output.error_text()
        );
    }
    // What could not be worked out was not run, and the phone still answers.
    world
        .says(
            "ls /sdcard/f 2>/dev/null; echo still $((1 + 1))",
            "still 2\n",
        )
        .await;
}

#[tokio::test]
async fn a_dump_shows_the_active_window_and_a_tap_reaches_it() {
    let world = World::app(FORMS).await;
    let xml = world.dump().await;
    assert!(xml.starts_with("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\"><node index=\"0\""));
    assert!(!xml.contains('\n'));
    let tree = uitree::UiTree::parse_hierarchy_xml(xml.as_bytes(), None).unwrap();
    assert_eq!(tree.windows().len(), 1);
    let at = world.place("text=\"Text fields\"").await;
    world.says(&format!("input tap {at}"), "").await;
    assert!(
        world
            .dump()
            .await
            .contains("class=\"android.widget.EditText\"")
    );
    world
        .says(
            "uiautomator dump",
            "UI hierchary dumped to: /sdcard/window_dump.xml\n",
        )
        .await;
    assert_eq!(
        world.out("cat /sdcard/window_dump.xml").await,
        world.dump().await
    );
    // What the phone got is in its journal, not in what was said.
    let driver = world.handset.driver().await;
    assert_eq!(driver.phone().log().clicks(0).count(), 1);
}

#[tokio::test]
async fn text_is_typed_as_keys_type_it() {
    let world = World::app(FORMS).await;
    let at = world.place("text=\"Text fields\"").await;
    world.out(&format!("input tap {at}")).await;
    let at = world.place("class=\"android.widget.EditText\"").await;
    world.out(&format!("input tap {at}")).await;
    world.finds("dumpsys window", "InputMethod").await;
    world.out("input text 'Grace%sHopper'").await;
    assert!(world.dump().await.contains("text=\"Grace Hopper\""));
    world.out("input keyevent KEYCODE_DEL 67 del").await;
    world.out("input keyevent 30").await;
    assert!(
        world.dump().await.contains("text=\"Grace Hopb\""),
        "{}",
        world.dump().await
    );
    let output = world.run("input text grüße").await;
    assert_eq!(output.status, 255);
    assert!(
        output
            .error_text()
            .contains("java.lang.NullPointerException"),
        "{}",
        output.error_text()
    );
    assert!(world.dump().await.contains("text=\"Grace Hopb\""));
    world
        .fails("input tap 5", "Argument expected after \"tap\"")
        .await;
    world.out("input keyevent MOVE_HOME FORWARD_DEL").await;
    assert!(world.dump().await.contains("text=\"race Hopb\""));
    let bytes = world
        .phone
        .exec("uiautomator dump --windows /dev/tty")
        .await
        .unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let (xml, _) = text.split_once("UI hierchary").unwrap();
    let tree = uitree::UiTree::parse_hierarchy_xml(xml.as_bytes(), None).unwrap();
    let mut windows: Vec<_> = tree.windows().iter().collect();
    windows.sort_by_key(|window| -window.layer);
    let shown: Vec<_> = windows
        .iter()
        .map(|window| (window.kind.as_str(), window.active, &*window.title))
        .collect();
    assert_eq!(
        shown[..2],
        [
            ("system", false, "StatusBar"),
            ("system", false, "NavigationBar0")
        ]
    );
    assert_eq!((shown[2].0, shown[2].1), ("input-method", false));
    assert_eq!((shown[3].0, shown[3].1), ("application", true));
    world.out("input keyevent KEYCODE_BACK").await;
    assert!(!world.out("dumpsys window").await.contains("InputMethod"));
}

#[tokio::test]
async fn apps_are_started_found_and_ended() {
    let world = World::with(quick()).await;
    let said = world
        .out("am start -W -n com.example.shop/.MainActivity")
        .await;
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines[0],
        "Starting: Intent { flg=0x10000000 cmp=com.example.shop/.MainActivity }"
    );
    assert_eq!(
        lines[1..4],
        [
            "Status: ok",
            "LaunchState: COLD",
            "Activity: com.example.shop/.MainActivity"
        ]
    );
    assert_eq!(*lines.last().unwrap(), "Complete");
    let focus = world
        .out("dumpsys window | grep -E 'mCurrentFocus|mFocusedApp'")
        .await;
    assert!(
        focus.contains(" u0 com.example.shop/com.example.shop.MainActivity}"),
        "{focus}"
    );
    assert!(focus.contains("mFocusedApp=ActivityRecord{"), "{focus}");
    let pid = world.out("pidof com.example.shop").await;
    world.out("am force-stop com.example.shop").await;
    assert_eq!(world.run("pidof com.example.shop").await.status, 1);
    world
        .fails(
            "am start -n com.example.shop/.Nowhere",
            "Error type 3\nError: Activity class {com.example.shop/.Nowhere} does not exist.",
        )
        .await;
    world.fails("am start -a android.intent.action.VIEW -d nobody://x", "Error: Activity not started, unable to resolve Intent { act=android.intent.action.VIEW dat=nobody://x flg=0x10000000 }").await;
    world
        .out("am start -a android.intent.action.VIEW -d shop://cart")
        .await;
    assert_ne!(world.out("pidof com.example.shop").await, pid);
    let said = world
        .run("am start -n com.example.shop/.MainActivity")
        .await
        .error_text();
    assert!(said.starts_with("Warning: Activity not started"), "{said}");
    world
        .run("am start -a android.intent.action.MAIN -c android.intent.category.HOME")
        .await;
    world
        .finds("dumpsys window", "com.android.launcher3/")
        .await;
    let output = world
        .run("monkey -p com.example.mail -c android.intent.category.LAUNCHER 1")
        .await;
    assert!(
        output.text().starts_with("Events injected: 1\n"),
        "{output:?}"
    );
    let output = world
        .run("monkey -p com.none -c android.intent.category.LAUNCHER 1")
        .await;
    assert_eq!(output.status, 252);
}

#[tokio::test]
async fn packages_are_listed_and_resolved() {
    let world = World::with(quick()).await;
    let own = world.out("pm list packages -3").await;
    assert!(
        own.lines().any(|line| line == "package:com.example.shop"),
        "{own}"
    );
    assert!(!own.contains("com.android"), "{own}");
    world
        .says(
            "cmd package list packages mail",
            "package:com.example.mail\n",
        )
        .await;
    world
        .says(
            "cmd package resolve-activity --brief com.example.shop | grep /",
            "com.example.shop/.MainActivity\n",
        )
        .await;
    world
        .says(
            "cmd package resolve-activity --brief com.none",
            "No activity found\n",
        )
        .await;
    assert!(
        world
            .out("pm path com.android.settings")
            .await
            .starts_with("package:/system/app/")
    );
    assert_eq!(world.run("pm path com.none").await.status, 1);
    world
        .finds("dumpsys package com.example.shop", "versionName=1.0\n")
        .await;
    world
        .out("pm grant com.example.shop android.permission.CAMERA")
        .await;
    world
        .finds(
            "dumpsys package com.example.shop",
            "android.permission.CAMERA: granted=true",
        )
        .await;
    assert_eq!(
        world
            .run("pm grant com.none android.permission.CAMERA")
            .await
            .status,
        255
    );
    let driver = world.handset.driver().await;
    assert!(
        driver
            .phone()
            .has_permission(SHOP, driver_sim::Permission::Camera)
    );
}

#[tokio::test]
async fn the_shell_and_the_settings_say_the_same_version() {
    let world = World::app(SETTINGS).await;
    world
        .out("am start -a android.intent.action.VIEW -d settings://about")
        .await;
    for _ in 0..4 {
        world.out("input swipe 500 2000 500 400 300").await;
    }
    let seen = world.dump().await;
    for property in ["ro.build.version.release", "ro.build.id"] {
        let says = world.out(&format!("getprop {property}")).await;
        let written = format!("text=\"{}\"", says.trim());
        assert!(seen.contains(&written), "{property} is {says}: {seen}");
    }
}

#[tokio::test]
async fn the_screen_and_the_system_tell_of_themselves() {
    let world = World::app(SETTINGS).await;
    world.says("wm size", "Physical size: 1080x2340\n").await;
    world.says("wm density", "Physical density: 420\n").await;
    world
        .handset
        .driver()
        .await
        .phone_mut()
        .rotate(driver_sim::Rotation::Landscape);
    assert!(world.dump().await.contains("<hierarchy rotation=\"1\">"));
    world
        .finds("dumpsys window displays", "cur=2340x1080")
        .await;
    world.says("settings get global nothing", "null\n").await;
    world.says("getprop ro.build.version.sdk", "36\n").await;
    world.finds("getprop", "[sys.boot_completed]: [1]\n").await;
    let png = world.phone.exec("screencap -p").await.unwrap();
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    world.out("screencap -p /sdcard/s.png").await;
    assert_eq!(
        world.phone.pull("/sdcard/s.png", 1 << 24).await.unwrap(),
        png
    );
    let raw = world.phone.exec("screencap").await.unwrap();
    assert_eq!(raw.len(), 16 + 1080 * 2340 * 4);
    world.out("input keyevent 26").await;
    world.finds("dumpsys power", "mWakefulness=Asleep").await;
    let output = world.run("uiautomator dump").await;
    assert_eq!(
        (output.error_text().as_str(), output.status),
        (
            "ERROR: null root node returned by UiTestAutomationBridge.",
            0
        )
    );
    world.out("input keyevent WAKEUP WAKEUP").await;
    world.finds("dumpsys power", "mWakefulness=Awake").await;
}

#[tokio::test]
async fn what_a_person_does_is_told_by_the_kernel_and_what_is_injected_is_not() {
    let world = World::app(SETTINGS).await;
    let listed = world.out("getevent -lp").await;
    for line in [
        "add device 1: /dev/input/event0",
        "    KEY (0001): KEY_HOME             KEY_VOLUMEDOWN       KEY_VOLUMEUP         KEY_POWER            KEY_BACK             KEY_APPSELECT",
        "add device 2: /dev/input/event1",
        "  name:     \"sim_touch\"",
        "    ABS (0003): ABS_MT_SLOT          : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0",
        "                ABS_MT_POSITION_X    : value 0, min 0, max 4319, fuzz 0, flat 0, resolution 0",
        "    INPUT_PROP_DIRECT",
    ] {
        assert!(
            listed.lines().any(|each| each == line),
            "{line:?} in\n{listed}"
        );
    }
    assert_eq!(world.run("getevent /dev/input/event9").await.status, 1);
    assert_eq!(world.run("getevent -Z").await.status, 1);
    assert_eq!(
        world.run("sendevent /dev/input/event1 3 57").await.status,
        1
    );
    assert_eq!(
        world.run("sendevent /dev/input/event9 3 57 1").await.status,
        1
    );
    // `getevent` reports touches of a finger, and none made by `input`.
    let listening = {
        let phone = connect(&world.address).await.unwrap();
        tokio::spawn(async move {
            phone
                .shell("getevent -lt -c 5 /dev/input/event1")
                .await
                .unwrap()
        })
    };
    let phone = connect(&world.address).await.unwrap();
    let pressing = async {
        phone.shell("input tap 540 1200").await.unwrap();
        let glass = "/dev/input/event1";
        // Until the listener has its five events: it may begin late.
        loop {
            let down = format!(
                "sendevent {glass} 3 57 5; sendevent {glass} 3 53 2162; sendevent {glass} 3 54 402; sendevent {glass} 1 330 1; sendevent {glass} 0 0 0"
            );
            let up = format!(
                "sendevent {glass} 3 57 -1; sendevent {glass} 1 330 0; sendevent {glass} 0 0 0"
            );
            phone.shell(&format!("{down}; {up}")).await.unwrap();
        }
    };
    let heard = testkit::within("five events", async {
        tokio::select! {
            heard = listening => heard.unwrap(),
            () = pressing => unreachable!("it presses until somebody has heard"),
        }
    })
    .await;
    let text = heard.text();
    assert_eq!(text.lines().count(), 5, "{text}");
    for line in text.lines() {
        assert!(line.starts_with('[') && line.contains("] EV_"), "{line}");
    }
    assert!(
        text.contains("EV_KEY       BTN_TOUCH            DOWN"),
        "{text}"
    );
    assert!(
        text.contains("EV_ABS       ABS_MT_TRACKING_ID   "),
        "{text}"
    );
}

#[tokio::test]
async fn a_finger_presses_what_it_is_on_and_a_button_what_it_says() {
    let world = World::app(SETTINGS).await;
    let glass = "/dev/input/event1";
    let clicks = || async {
        let log = world
            .handset
            .driver()
            .await
            .phone()
            .log()
            .to_json(driver_sim::journal::Passwords::Masked);
        log.matches("\"kind\":\"click\"").count()
    };
    assert_eq!(clicks().await, 0);
    world
        .out(&format!("sendevent {glass} 3 57 1; sendevent {glass} 3 53 2160; sendevent {glass} 3 54 6000; sendevent {glass} 0 0 0"))
        .await;
    assert_eq!(clicks().await, 0, "the finger is still there");
    world
        .out(&format!(
            "sendevent {glass} 3 57 -1; sendevent {glass} 0 0 0"
        ))
        .await;
    assert_eq!(clicks().await, 1);
    let home = "/dev/input/event0";
    world
        .out(&format!("sendevent {home} 1 102 1; sendevent {home} 0 0 0; sendevent {home} 1 102 0; sendevent {home} 0 0 0"))
        .await;
    let front = world.out("dumpsys window | grep mCurrentFocus").await;
    assert!(front.contains("launcher"), "{front}");
    let dump = world
        .phone
        .exec("uiautomator dump --windows /dev/tty")
        .await
        .unwrap();
    let dump = String::from_utf8(dump).unwrap();
    for button in ["back", "home", "recent_apps"] {
        assert!(
            dump.contains(&format!("com.android.systemui:id/{button}")),
            "{dump}"
        );
    }
}

#[tokio::test]
async fn only_a_shell_with_packets_and_without_pty_has_no_terminal() {
    let world = World::app(FORMS).await;
    let output = world.run("uiautomator dump /dev/tty").await;
    assert_eq!(
        (
            output.status,
            output.text().as_str(),
            output.stderr.is_empty()
        ),
        (0, "UI hierchary dumped to: /dev/tty\n", true)
    );
    let refused = "No such device or address";
    for (command, status) in [
        ("echo seen >/dev/tty", 1),
        ("cat </dev/tty", 1),
        ("cat /dev/tty", 1),
        ("screencap -p /dev/tty", 1),
    ] {
        let output = world.run(command).await;
        assert_eq!(output.status, status, "{command}");
        assert!(output.error_text().contains(refused), "{command}");
    }
    world.says("echo seen >/dev/stdout", "seen\n").await;
    for (service, newline) in [
        ("exec", "\n"),
        ("shell", "\n"),
        ("shell,raw", "\n"),
        ("shell,pty", "\r\n"),
    ] {
        let service = format!("{service}:echo seen >/dev/tty; uiautomator dump /dev/tty");
        let mut stream = world.phone.open(&service).await.unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).await.unwrap();
        let dump = text.strip_prefix(&format!("seen{newline}<?xml"));
        assert!(
            dump.is_some_and(|dump| dump.contains("</hierarchy>")),
            "{service}: {text}"
        );
    }
}
