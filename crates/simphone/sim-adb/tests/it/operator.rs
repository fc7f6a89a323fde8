//! A phone with the Operator app, which receives commands as broadcasts and answers through the log.

use std::sync::Arc;

use async_trait::async_trait;
use sim_adb::{AdbPhone, Apk, Installable, Log, Operator, OperatorApp, Options, PIECE, report};

use crate::fixture::*;

/// Answers with the command and a long text.
struct Echo;

#[async_trait]
impl OperatorApp for Echo {
    async fn run(&self, payload: &str, phone: &AdbPhone, log: &Log) {
        let front = phone
            .driver()
            .await
            .phone()
            .foreground()
            .unwrap_or_default();
        report(
            log,
            2477,
            &format!(
                "{{\"asked\":{payload:?},\"front\":\"{front}\",\"long\":\"{}\"}}",
                "y".repeat(9000)
            ),
        );
    }
}

#[tokio::test]
async fn command_runs_and_its_answer_is_in_the_log() {
    let operator = Operator {
        package: "com.clawperator.operator.dev".to_owned(),
        version: "0.5.3-d".to_owned(),
        app: Arc::new(Echo),
    };
    let fixture = Fixture::with(Options {
        operator: Some(operator),
        ..in_app(SHOP)
    })
    .await;
    fixture
        .prints(
            "pm list packages com.clawperator.operator",
            "package:com.clawperator.operator.dev\n",
        )
        .await;
    let about = fixture
        .out("dumpsys package com.clawperator.operator.dev | grep -E 'versionName|versionCode'")
        .await;
    assert_eq!(
        about,
        "    versionCode=503900 minSdk=24 targetSdk=36\n    versionName=0.5.3-d\n"
    );
    let output = fixture
        .out(
            "am broadcast -a 'app.clawperator.operator.ACTION_AGENT_COMMAND' -p 'com.clawperator.operator.dev' --es \
             'payload' '{\"commandId\":\"it'\\''s\"}' --receiver-foreground",
        )
        .await;
    assert_eq!(
        output,
        "Broadcasting: Intent { act=app.clawperator.operator.ACTION_AGENT_COMMAND flg=0x10400000 \
         pkg=com.clawperator.operator.dev (has extras) }\nBroadcast completed: result=0\n"
    );
    let raw = fixture.out("logcat -v raw -m 3 -s TaskStatusSink").await;
    let (_, answer) = raw.split_once("--------- beginning of main\n").unwrap();
    let pieces: Vec<&str> = answer.lines().collect();
    assert_eq!(pieces.len(), 3);
    assert!(
        pieces[0].starts_with("[Clawperator-Result] {\"asked\":"),
        "{}",
        pieces[0]
    );
    assert_eq!((pieces[0].len(), pieces[1].len()), (PIECE, PIECE));
    assert!(pieces.concat().contains("\"front\":\"com.example.shop\""));
    assert!(pieces.concat().contains("it's"));
    let all = fixture.out("logcat -d").await;
    assert!(
        all.contains("BatteryService") && all.contains("ActivityManager"),
        "{all}"
    );
    // A broadcast to another package or without a command succeeds without an answer.
    fixture.out("am broadcast -a app.clawperator.operator.ACTION_AGENT_COMMAND -p com.other --es payload x").await;
    fixture
        .out("am broadcast -a app.clawperator.operator.ACTION_AGENT_COMMAND --es other x")
        .await;
    fixture
        .prints_part("logcat -d", " E OperatorCommandReceiver")
        .await;
}

#[tokio::test]
async fn app_is_installed_updated_and_uninstalled() {
    let installable = Installable(Arc::new(|apk: &Apk| Operator {
        package: apk.package.clone(),
        version: apk.version.clone(),
        app: Arc::new(Echo),
    }));
    let fixture = Fixture::with(Options {
        installable: Some(installable),
        ..in_app(SHOP)
    })
    .await;
    let package = "com.clawperator.operator";
    let push = async |bytes: Vec<u8>| {
        let path = "/data/local/tmp/app.apk";
        fixture
            .phone
            .push(&mut bytes.as_slice(), path, 0o644)
            .await
            .unwrap();
        fixture.run(&format!("pm install -r {path}")).await
    };
    assert_eq!(push(Apk::operator(package, "0.5.2")).await.status, 0);
    let listed = format!("pm list packages -3 {package}");
    assert_eq!(fixture.out(&listed).await, format!("package:{package}\n"));
    // It does not run until it is started or its service is enabled.
    assert_eq!(fixture.adb_phone.operator_pid(), None);
    let service =
        format!("{package}/clawperator.operator.accessibilityservice.OperatorAccessibilityService");
    let put = format!("settings put secure enabled_accessibility_services {service}");
    fixture.out(&put).await;
    let pid = fixture.adb_phone.operator_pid();
    assert!(pid.is_some() && fixture.adb_phone.operator_serves());
    // A newer version replaces it and runs in a new process; an older one is refused.
    assert_eq!(push(Apk::operator(package, "0.5.3")).await.status, 0);
    assert!(fixture.adb_phone.operator_serves() && fixture.adb_phone.operator_pid() != pid);
    let older = push(Apk::operator(package, "0.5.1")).await;
    assert_eq!(
        older.text(),
        "Failure [INSTALL_FAILED_VERSION_DOWNGRADE: Downgrade detected]\n"
    );
    assert_eq!(fixture.adb_phone.operator().unwrap().version, "0.5.3");
    fixture
        .prints(&format!("pm uninstall {package}"), "Success\n")
        .await;
    fixture.prints(&listed, "").await;
    assert!(fixture.adb_phone.operator().is_none() && fixture.adb_phone.operator_pid().is_none());
    let services = fixture
        .adb_phone
        .setting("secure", "enabled_accessibility_services");
    assert_eq!(services.as_deref(), Some(""));
}
