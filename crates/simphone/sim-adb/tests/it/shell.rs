//! Shell commands and their output, in `testdata/shell.md`. `UPDATE_EXPECT=1` updates the output.

use std::fmt::Write;
use std::path::Path;

use sim_adb::WireFaultSpec;

use crate::fixture::*;

async fn step(fixture: &Fixture, step: &str) -> String {
    let (verb, rest) = step.split_once(' ').unwrap_or((step, ""));
    match verb {
        "$" => {
            let output = fixture.run(rest).await;
            let mut printed = output.text();
            for line in String::from_utf8_lossy(&output.stderr).lines() {
                let _never = writeln!(printed, "! {line}");
            }
            if output.status != 0 {
                let _never = writeln!(printed, "= {}", output.status);
            }
            printed
        }
        "tap" => {
            let at = fixture.place(rest).await;
            fixture.out(&format!("input tap {at}")).await
        }
        "nodes" => format!("{} found\n", fixture.dump().await.matches(rest).count()),
        "fault" => match rest.parse::<WireFaultSpec>() {
            Ok(spec) => {
                let WireFaultSpec {
                    fault,
                    first,
                    times,
                } = &spec;
                let times = times.map_or("forever".to_owned(), |times| format!("x{times}"));
                let read = format!("{fault} @{first} {times}\n");
                fixture.adb_phone.faults().arm(spec);
                read
            }
            Err(wrong) => format!("! {wrong}\n"),
        },
        "clicks" => {
            let driver = fixture.adb_phone.driver().await;
            format!("{} clicks\n", driver.phone().log().clicks(0).count())
        }
        _ => panic!("unknown step {step}"),
    }
}

#[tokio::test]
async fn commands_print_what_the_page_shows() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/shell.md");
    let page = std::fs::read_to_string(&path)
        .unwrap()
        .replace("\r\n", "\n");
    let mut now = String::new();
    let mut fixture = None;
    for line in page.lines() {
        let Some(words) = line.strip_prefix("    ") else {
            if line.starts_with("## ") {
                fixture = None;
            }
            now.push_str(line);
            now.push('\n');
            continue;
        };
        let verb = words.split(' ').next().unwrap_or_default();
        if !["$", "tap", "nodes", "clicks", "fault", "app"].contains(&verb) {
            continue;
        }
        let _never = writeln!(now, "{line}");
        if let Some(package) = words.strip_prefix("app ") {
            fixture = Some(Fixture::app(package).await);
            continue;
        }
        if fixture.is_none() {
            fixture = Some(Fixture::with(quick()).await);
        }
        let printed = step(fixture.as_ref().unwrap(), words).await;
        for line in printed.lines() {
            let _never = writeln!(now, "{}", format!("    > {line}").trim_end());
        }
    }
    if now != page && std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, now).unwrap();
        return;
    }
    for (number, (line, now)) in page.lines().zip(now.lines()).enumerate() {
        assert_eq!(
            line,
            now,
            "line {}; UPDATE_EXPECT=1 updates the page",
            number + 1
        );
    }
    assert_eq!(page.lines().count(), now.lines().count());
}
