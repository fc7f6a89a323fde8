//! Probing a phone and its Operator app over adb.

use std::sync::Arc;

use async_trait::async_trait;
use driver::DriverError;
use driver_android::{Presence, Shell, Switch, probe};
use sim_adb::{AdbPhone, Log, Operator, OperatorApp, Options};

use crate::fixture;

const PACKAGE: &str = "com.clawperator.operator";

struct SilentApp;

#[async_trait]
impl OperatorApp for SilentApp {
    async fn run(&self, _: &str, _: &AdbPhone, _: &Log) {}
}

fn with(package: &str) -> Options {
    Options {
        operator: Some(Operator {
            package: package.to_owned(),
            version: "0.5.3-d".to_owned(),
            app: Arc::new(SilentApp),
        }),
        ..Options::default()
    }
}

#[tokio::test]
async fn phone_with_app_is_probed_in_one_command() {
    let fixture = fixture::fixture(with(PACKAGE)).await;
    let shell = Shell::new(fixture.phone.clone());
    let found = probe(&shell, &fixture.cx, PACKAGE).await.unwrap();
    assert_eq!(&found.profile, fixture.driver.profile());
    let Presence::Installed(app) = found.operator.presence else {
        panic!("{found:?}");
    };
    assert_eq!(app.version.as_deref(), Some("0.5.3-d"));
    assert_eq!(app.version_code.as_deref(), Some("503900"));
    assert!(app.serves());
    let off = "settings put secure enabled_accessibility_services a.b/.C";
    shell.change(&fixture.cx, off).await.unwrap();
    let found = probe(&shell, &fixture.cx, PACKAGE).await.unwrap();
    let Presence::Installed(app) = found.operator.presence else {
        panic!("{found:?}");
    };
    assert_eq!((app.service, app.pid.is_some()), (Switch::Off, true));
    let dev = probe(&shell, &fixture.cx, "com.clawperator.operator.dev")
        .await
        .unwrap();
    assert_eq!(dev.operator.presence, Presence::Other(PACKAGE.to_owned()));
}

#[tokio::test]
async fn phone_without_app_is_probed() {
    let fixture = fixture::fixture(Options::default()).await;
    let shell = Shell::new(fixture.phone.clone());
    let found = probe(&shell, &fixture.cx, PACKAGE).await.unwrap();
    assert_eq!(found.operator.presence, Presence::Missing);
    assert_eq!(&found.profile, fixture.driver.profile());
    for hostile in ["a; reboot", "", "a'b"] {
        let refused = probe(&shell, &fixture.cx, hostile).await;
        assert_eq!(
            refused.unwrap_err(),
            DriverError::NotInstalled(hostile.to_owned())
        );
    }
}
