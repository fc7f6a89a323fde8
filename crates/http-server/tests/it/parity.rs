//! The same plan comes to the same result over HTTP as on the command line, for every scenario of the engine.

use std::path::Path;

use contract::Execution;
use serde_json::{Value, json};
use service::{Options, Paths, Service};
use tokio_util::sync::CancellationToken;

use crate::client::{Client, Setup, plan, serve};

/// What the command line gives for these plans, one after the other on one phone.
fn by_command_line(device: String, plans: Vec<Value>, options: Options) -> Vec<Value> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    let service = Service::new(options);
    let run = |plan: &Value| {
        let parsed = Execution::from_value(plan).unwrap();
        let mut nobody = |_: &service::Event<'_>| {};
        let cancel = CancellationToken::new();
        let ran = service.execute(Some(&device), parsed, cancel, &mut nobody);
        match runtime.block_on(ran) {
            Ok(answer) => {
                let mut answer = json!(answer);
                let fields = answer.as_object_mut().unwrap();
                assert_eq!(
                    fields.shift_remove("isCanonicalTerminal"),
                    Some(json!(true))
                );
                answer
            }
            Err(error) => json!({ "error": error }),
        }
    };
    plans.iter().map(run).collect()
}

/// An answer without what is new each time: the names of files that were made up.
fn settled(mut answer: Value, folder: &Path) -> Value {
    if let Some(fields) = answer.as_object_mut() {
        fields.shift_remove("ok");
    }
    for step in answer
        .pointer_mut("/envelope/stepResults")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        let made_up = step.pointer_mut("/data/path").filter(|path| {
            path.as_str()
                .unwrap_or_default()
                .contains("clawperator-screenshot-")
        });
        if let Some(path) = made_up {
            *path = json!("a file");
        }
    }
    let text = answer.to_string();
    let text = text.replace(&*folder.to_string_lossy(), "FOLDER");
    serde_json::from_str(&text).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_scenario_has_the_same_answer_as_on_the_command_line() {
    let root = std::env::temp_dir().join(format!("clawperator-parity-{}", std::process::id()));
    std::fs::create_dir_all(&root).unwrap();
    let root = std::fs::canonicalize(root).unwrap();
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/testdata/scenarios");
    let options = |side: &str| Options {
        screenshots: Some(root.clone()),
        screenshot_paths: Paths::Within(root.clone()),
        app_paths: Paths::Within(root.clone()),
        recordings: Some(root.join(side)),
        ..Options::default()
    };
    let server = serve(Setup {
        service: options("http"),
        ..Setup::default()
    })
    .await;
    let mut client = Client::new(&server).await;
    let (mut same, mut problems) = (0, Vec::new());
    for scenario in testkit::folder(&scenarios).unwrap() {
        let name = scenario
            .path
            .file_stem()
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let apps: Vec<&str> = scenario.blocks("yaml app").collect();
        let mut device = format!("sim#{name}");
        if !apps.is_empty() {
            std::fs::create_dir_all(root.join(&name)).unwrap();
            for (place, yaml) in apps.iter().enumerate() {
                let file = root.join(&name).join(format!("{place}.yaml"));
                std::fs::write(file, yaml).unwrap();
            }
            device = format!("{device}:{name}");
        }
        let mut actions = scenario.json("json actions").unwrap().unwrap();
        for action in actions.as_array_mut().unwrap() {
            if let Some(path) = action.pointer_mut("/params/path") {
                *path = json!(format!("{name}.png"));
            }
        }
        let mut asked = plan("cmd", actions);
        let laid = scenario.json("json options").unwrap();
        for (key, value) in laid.iter().flat_map(|laid| laid.as_object().unwrap()) {
            asked[key] = value.clone();
        }
        let setup = scenario.json("json setup").unwrap();
        let mut plans: Vec<Value> = setup
            .map(|setup| plan("setup", setup))
            .into_iter()
            .collect();
        plans.push(asked);
        let ran = (device.clone(), plans.clone(), options("cli"));
        let here = tokio::task::spawn_blocking(move || by_command_line(ran.0, ran.1, ran.2));
        let here = here.await.unwrap();
        for (plan, here) in plans.iter().zip(here) {
            let body = json!({ "execution": plan, "deviceId": device });
            let answer = client.post("/execute", &body).await.json();
            let there = settled(answer, &root.join("http"));
            let here = settled(here, &root.join("cli"));
            if here == there {
                same += 1;
            } else {
                problems.push(format!("{name}:\n{here:#}\n{there:#}"));
            }
        }
    }
    std::fs::remove_dir_all(root).unwrap();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(same > 100, "only {same} plans were compared");
}
