//! Output and effects of the phone's programs.

use tokio::io::AsyncReadExt;

use crate::fixture::*;

#[tokio::test]
async fn scripts_that_exceed_a_limit_end_with_an_error() {
    let fixture = Fixture::app(FORMS).await;
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
            "the variables hold more than 16777216 bytes",
        ),
    ] {
        let output = fixture.run(&script).await;
        assert_eq!((output.text().as_str(), output.status), ("", 1), "{script}");
        assert!(
            output.error_text().contains(why),
            "{script}: {}",
            output.error_text()
        );
    }
    // The commands whose expansion failed did not run, and the phone still answers.
    fixture
        .prints(
            "ls /sdcard/f 2>/dev/null; echo still $((1 + 1))",
            "still 2\n",
        )
        .await;
}

#[tokio::test]
async fn dump_shows_the_active_window_and_tap_reaches_it() {
    let fixture = Fixture::app(FORMS).await;
    let xml = fixture.dump().await;
    assert!(xml.starts_with("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\"><node index=\"0\""));
    assert!(!xml.contains('\n'));
    let tree = uitree::UiTree::parse_hierarchy_xml(xml.as_bytes(), None).unwrap();
    assert_eq!(tree.windows().len(), 1);
    let at = fixture.place("text=\"Text fields\"").await;
    fixture.prints(&format!("input tap {at}"), "").await;
    assert!(
        fixture
            .dump()
            .await
            .contains("class=\"android.widget.EditText\"")
    );
    fixture
        .prints(
            "uiautomator dump",
            "UI hierchary dumped to: /sdcard/window_dump.xml\n",
        )
        .await;
    assert_eq!(
        fixture.out("cat /sdcard/window_dump.xml").await,
        fixture.dump().await
    );
    // The journal records the click.
    let driver = fixture.adb_phone.driver().await;
    assert_eq!(driver.phone().log().clicks(0).count(), 1);
}

#[tokio::test]
async fn dump_of_all_windows_has_bars_and_keyboard() {
    let fixture = Fixture::app(FORMS).await;
    let at = fixture.place("text=\"Text fields\"").await;
    fixture.out(&format!("input tap {at}")).await;
    let at = fixture.place("class=\"android.widget.EditText\"").await;
    fixture.out(&format!("input tap {at}")).await;
    let bytes = fixture
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
}

#[tokio::test]
async fn screencap_has_two_formats_and_dumps_have_the_rotation() {
    let fixture = Fixture::app(SETTINGS).await;
    let png = fixture.phone.exec("screencap -p").await.unwrap();
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    fixture.out("screencap -p /sdcard/s.png").await;
    assert_eq!(
        fixture.phone.pull("/sdcard/s.png", 1 << 24).await.unwrap(),
        png
    );
    let raw = fixture.phone.exec("screencap").await.unwrap();
    assert_eq!(raw.len(), 16 + 1080 * 2340 * 4);
    fixture
        .adb_phone
        .driver()
        .await
        .phone_mut()
        .rotate(driver_sim::Rotation::Landscape);
    assert!(fixture.dump().await.contains("<hierarchy rotation=\"1\">"));
    fixture
        .prints_part("dumpsys window displays", "cur=2340x1080")
        .await;
}

#[tokio::test]
async fn navigation_bar_has_its_buttons() {
    let fixture = Fixture::app(SETTINGS).await;
    let dump = fixture
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
async fn streams_without_packets_and_with_pty_have_a_terminal() {
    let fixture = Fixture::app(FORMS).await;
    for (service, newline) in [
        ("exec", "\n"),
        ("shell", "\n"),
        ("shell,raw", "\n"),
        ("shell,pty", "\r\n"),
    ] {
        let service = format!("{service}:echo seen >/dev/tty; uiautomator dump /dev/tty");
        let mut stream = fixture.phone.open(&service).await.unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).await.unwrap();
        let dump = text.strip_prefix(&format!("seen{newline}<?xml"));
        assert!(
            dump.is_some_and(|dump| dump.contains("</hierarchy>")),
            "{service}: {text}"
        );
    }
}
