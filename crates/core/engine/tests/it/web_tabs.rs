//! `tab` in a real browser: what is reported is compared with the browser's own tabs.

use driver_chrome::ChromeDriver;
use driver_chrome::browser::Browser;
use serde_json::{Value, json};
use testkit::web::Web;

use crate::phone::{json_of, patient_plan, run};
use crate::web::{chromium, cx};

fn tab(id: &str, params: Value) -> Value {
    json!({ "id": id, "type": "tab", "params": params })
}

fn wait(id: &str, shown: &str) -> Value {
    let visible = json!({ "visible": { "resourceId": shown } });
    json!({ "id": id, "type": "wait_until", "params": { "anyOf": [visible], "timeoutMs": 20_000 } })
}

#[tokio::test]
async fn tabs_are_listed_opened_chosen_and_closed() {
    let chromium = chromium("tabs").await;
    let browser = Browser::connect(&chromium.started.endpoint).await.unwrap();
    let web = Web::start();
    web.page(
        "/shop",
        "<title>Shop</title><a id=link target=_blank href=/help>Help</a>",
    );
    web.page("/help", "<title>Help</title><p id=help>Help");
    web.page("/cart", "<title>Cart</title><p id=cart>Cart");
    let id = browser.tabs().await.unwrap().remove(0).id;
    let attached = browser.attach(&id).await.unwrap();
    let mut driver = ChromeDriver::open(attached, &cx()).await.unwrap();
    let choose = |id: &str, selector: Value| tab(id, json!({ "op": "choose", "tab": selector }));
    let plan = json!([
        tab("last", json!({ "op": "close" })),
        choose("none", json!({ "latest": true })),
        { "id": "load", "type": "open_uri", "params": { "uri": web.url("/shop") } },
        { "id": "link", "type": "click", "params": { "matcher": { "resourceId": "link" } } },
        wait("followed", "help"),
        tab("list", json!({ "op": "list" })),
        choose("shop", json!({ "titleContains": "shop" })),
        wait("in-shop", "link"),
        choose("latest", json!({ "latest": true })),
        wait("in-help", "help"),
        tab("open", json!({ "op": "open", "uri": web.url("/cart") })),
        wait("in-cart", "cart"),
        tab("script", json!({ "op": "open", "uri": "javascript:alert(1)" })),
        choose("nowhere", json!({ "urlContains": "/nowhere" })),
        choose("both", json!({ "titleContains": "h" })),
        tab("close", json!({ "op": "close" })),
        wait("back", "help"),
        tab("other", json!({ "op": "close", "tab": { "urlContains": "/shop" } })),
        tab("rest", json!({ "op": "list" })),
    ]);
    let plan = patient_plan(plan, Some(json!({ "onFailure": "continue" })));
    let answer = json_of(&run(&mut driver, &plan).await);
    let steps = answer["stepResults"].as_array().unwrap();
    let data = |id: &str| {
        let step = steps.iter().find(|step| step["id"] == id).unwrap();
        &step["data"]
    };
    let failures: Vec<(&str, &str)> = steps
        .iter()
        .filter(|step| step["success"] == false)
        .map(|step| {
            let code = step["data"]["error"].as_str().unwrap();
            (step["id"].as_str().unwrap(), code)
        })
        .collect();
    assert_eq!(
        failures,
        [
            ("last", "LAST_TAB"),
            ("none", "TAB_NOT_FOUND"),
            ("script", "URI_NOT_HANDLED"),
            ("nowhere", "TAB_NOT_FOUND"),
            ("both", "TAB_AMBIGUOUS"),
        ],
        "{answer:#}"
    );
    let listed: Vec<Value> = serde_json::from_str(data("list")["tabs"].as_str().unwrap()).unwrap();
    let summary: Vec<(&Value, &Value)> = listed
        .iter()
        .map(|tab| (&tab["title"], &tab["current"]))
        .collect();
    assert_eq!(
        summary,
        [
            (&json!("Help"), &json!(true)),
            (&json!("Shop"), &json!(false))
        ],
        "{answer:#}"
    );
    assert_eq!(listed[1]["device"], format!("chrome:{id}"));
    assert_eq!(listed[0]["url"], web.url("/help"));
    assert_eq!(data("open")["url"], web.url("/cart"));
    assert_eq!(data("open")["httpStatus"], "200");
    assert_eq!(data("close")["closed_url"], web.url("/cart"));
    assert_eq!(data("close")["url"], web.url("/help"));
    let left: Vec<String> = browser
        .tabs()
        .await
        .unwrap()
        .into_iter()
        .map(|tab| tab.url)
        .collect();
    assert_eq!(left, [web.url("/help")], "{answer:#}");
    let received = web.requests();
    let loads = received.iter().filter(|each| each.path == "/cart").count();
    assert_eq!(loads, 1, "{answer:#}");
}

#[tokio::test]
async fn page_that_does_not_load_keeps_its_new_tab() {
    let chromium = chromium("tabs-unloaded").await;
    let browser = Browser::connect(&chromium.started.endpoint).await.unwrap();
    let id = browser.tabs().await.unwrap().remove(0).id;
    let attached = browser.attach(&id).await.unwrap();
    let mut driver = ChromeDriver::open(attached, &cx()).await.unwrap();
    let uri = format!("http://127.0.0.1:{}/", testkit::closed_port());
    let plan = patient_plan(
        json!([tab("open", json!({ "op": "open", "uri": uri }))]),
        None,
    );
    let answer = json_of(&run(&mut driver, &plan).await);
    let data = &answer["stepResults"][0]["data"];
    assert_eq!(data["error"], "PAGE_NOT_LOADED", "{answer:#}");
    let message = data["message"].as_str().unwrap();
    assert!(message.contains("its new tab stays open"), "{answer:#}");
    assert_eq!(browser.tabs().await.unwrap().len(), 2, "{answer:#}");
}
