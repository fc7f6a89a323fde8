//! The driver conformance tests on the embedded phone.

use async_trait::async_trait;
use driver::Driver;
use driver_sim::journal::Passwords;
use driver_sim::{AppSource, SimDriver, SimOptions, Start};
use serde_json::Value;
use testkit::conformance::{
    APP, Break, ClickMethod, Device, DeviceFactory, DriverTraits, PACKAGE, Text, conforms,
};

use crate::fixture::run;

struct Embedded(SimDriver);

#[async_trait]
impl Device for Embedded {
    fn driver(&mut self) -> &mut dyn Driver {
        &mut self.0
    }

    fn abilities(&self) -> DriverTraits {
        DriverTraits::of_phone(Text::Any, ClickMethod::OnNodes)
    }

    async fn journal(&mut self) -> Vec<Value> {
        let lines = self.0.phone().log().to_json(Passwords::Masked);
        lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    async fn break_next(&mut self, when: Break) {
        let spec = match when {
            Break::Before => "disconnect on click unsent @1 for once",
            Break::Done => "disconnect on click answer_lost @1 for once",
        };
        let fault = spec.parse().unwrap();
        self.0.phone_mut().add_fault(fault).unwrap();
    }

    async fn repair(&mut self) {}
}

struct EmbeddedFactory;

#[async_trait]
impl DeviceFactory for EmbeddedFactory {
    async fn device(&mut self) -> Box<dyn Device> {
        let options = SimOptions {
            apps: vec![
                AppSource::BuiltIn,
                AppSource::Text {
                    name: "conform.yaml".to_owned(),
                    yaml: APP.to_owned(),
                },
            ],
            start: Start::App(PACKAGE.to_owned()),
            recordings: std::env::temp_dir()
                .join(format!("clawperator-conform-{}", std::process::id())),
            ..SimOptions::default()
        };
        Box::new(Embedded(SimDriver::new(options).unwrap()))
    }
}

#[test]
fn embedded_phone_conforms() {
    run(conforms(&mut EmbeddedFactory));
}
