//! A window that cannot get a size is left as it was, and the step says so.

use cdp::protocol::emulation::SetDeviceMetricsOverride;
use driver_chrome::ChromeDriver;
use driver_chrome::browser::Browser;
use serde_json::json;

use crate::phone::{json_of, patient_plan, run};
use crate::web::{chromium, cx};

#[tokio::test]
async fn window_whose_page_keeps_its_size_is_not_resized() {
    let chromium = chromium("resize").await;
    let browser = Browser::connect(&chromium.started.endpoint).await.unwrap();
    let id = browser.tabs().await.unwrap().remove(0).id;
    // Another program emulates a screen of its own, as the developer tools do.
    let other = browser.attach(&id).await.unwrap();
    let screen = SetDeviceMetricsOverride {
        width: 600,
        height: 500,
        ..SetDeviceMetricsOverride::default()
    };
    other.session().call(&screen).await.unwrap();
    let tab = browser.attach(&id).await.unwrap();
    let mut driver = ChromeDriver::open(tab, &cx()).await.unwrap();
    let size = json!({ "width": 800, "height": 700 });
    let steps = json!([{ "id": "resize", "type": "resize_window", "params": size }]);
    let answer = json_of(&run(&mut driver, &patient_plan(steps, None)).await);
    let data = &answer["stepResults"][0]["data"];
    assert_eq!(data["error"], "WINDOW_NOT_RESIZED", "{answer:#}");
    let message = data["message"].as_str().unwrap();
    assert!(
        message.contains("the size 600x500 instead of 800x700"),
        "{message}"
    );
    drop(driver.detach().await);
}
