//! Commands of the shell and what they say, in `testdata/shell.md`. `UPDATE_EXPECT=1` writes the output anew.

use std::fmt::Write;
use std::path::Path;

use sim_adb::WireStrike;

use crate::world::*;

/// What a step prints.
async fn step(world: &World, step: &str) -> String {
    let (verb, rest) = step.split_once(' ').unwrap_or((step, ""));
    match verb {
        "$" => {
            let output = world.run(rest).await;
            let mut said = output.text();
            for line in String::from_utf8_lossy(&output.stderr).lines() {
                let _never = writeln!(said, "! {line}");
            }
            if output.status != 0 {
                let _never = writeln!(said, "= {}", output.status);
            }
            said
        }
        "tap" => {
            let at = world.place(rest).await;
            world.out(&format!("input tap {at}")).await
        }
        "nodes" => format!("{} of them\n", world.dump().await.matches(rest).count()),
        "fault" => match rest.parse::<WireStrike>() {
            Ok(strike) => {
                let WireStrike {
                    fault,
                    first,
                    times,
                } = &strike;
                let times = times.map_or("for ever".to_owned(), |times| format!("x{times}"));
                let read = format!("{fault} @{first} {times}\n");
                world.adb_phone.faults().arm(strike);
                read
            }
            Err(wrong) => format!("! {wrong}\n"),
        },
        "clicks" => {
            let driver = world.adb_phone.driver().await;
            format!("{} clicks\n", driver.phone().log().clicks(0).count())
        }
        _ => panic!("there is no step {step}"),
    }
}

#[tokio::test]
async fn commands_say_what_is_written() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/shell.md");
    let page = std::fs::read_to_string(&path)
        .unwrap()
        .replace("\r\n", "\n");
    let mut now = String::new();
    let mut world = None;
    for line in page.lines() {
        let Some(words) = line.strip_prefix("    ") else {
            if line.starts_with("## ") {
                world = None;
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
            world = Some(World::app(package).await);
            continue;
        }
        if world.is_none() {
            world = Some(World::with(quick()).await);
        }
        let said = step(world.as_ref().unwrap(), words).await;
        for line in said.lines() {
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
            "line {}; UPDATE_EXPECT=1 writes it anew",
            number + 1
        );
    }
    assert_eq!(page.lines().count(), now.lines().count());
}
