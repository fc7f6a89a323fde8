//! The OpenAPI 3.1 description, generated from the table of routes and the schemas of the contract.

use contract::actions::{SnapshotUi, TakeScreenshot};
use contract::{
    DryRunResult, ErrorCode, ErrorResponse, Execution, InspectRequest, InspectionResponse,
    NodeMatcher, RunResponse, ValidationResult, limits, schema,
};
use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use crate::input::MAX_BYTES;
use crate::reply::status;
use crate::route_table::{Endpoint, ROUTES};
use crate::selectors_request::SelectorsRequest;

/// Prefix of references to schemas.
const SCHEMAS: &str = "#/components/schemas/";

/// The description as text.
pub fn text() -> String {
    // Serialising a `Value` cannot fail.
    let mut text = serde_json::to_string_pretty(&document()).unwrap_or_default();
    text.push('\n');
    text
}

/// The description.
pub fn document() -> Value {
    let mut paths = Map::new();
    for route in ROUTES {
        let mut methods = Map::new();
        for (method, endpoint) in route.methods {
            let name = method.as_str().to_ascii_lowercase();
            methods.insert(name, operation(*endpoint));
        }
        paths.insert(route.path.to_owned(), Value::Object(methods));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "clawperator",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Drives phones and web pages: one validated execution in, one structured result out.",
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": "http://127.0.0.1:3000" }],
        "security": [{}, { "token": [] }],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "Required if the server was started with a token.",
                },
            },
            "schemas": schemas(),
        },
    })
}

/// The schemas of all routes, with the schemas they refer to.
fn schemas() -> Value {
    let mut all = Map::new();
    for (name, schema) in [
        ("InspectRequest", schema::of_request::<InspectRequest>()),
        ("SelectorsRequest", schema::of_request::<SelectorsRequest>()),
        ("Execution", schema::of::<Execution>()),
        ("NodeMatcher", schema::of::<NodeMatcher>()),
        ("RunResponse", schema::of::<RunResponse<'_>>()),
        ("Validated", schema::of::<ValidationResult>()),
        ("Planned", schema::of::<DryRunResult>()),
        ("InspectionResponse", schema::of::<InspectionResponse<'_>>()),
        ("ErrorResponse", schema::of::<ErrorResponse<'_>>()),
    ] {
        let mut schema = schema;
        rewrite_refs(&mut schema);
        if let Some(fields) = schema.as_object_mut() {
            fields.remove("$schema");
            if let Some(Value::Object(inner)) = fields.remove("$defs") {
                all.extend(inner);
            }
        }
        all.insert(name.to_owned(), schema);
    }
    all.insert("Device".to_owned(), device());
    all.insert("Run".to_owned(), run());
    all.sort_keys();
    Value::Object(all)
}

/// Rewrites references to definitions of a single schema into references to components.
fn rewrite_refs(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            for (key, value) in fields {
                match value {
                    Value::String(place) if key == "$ref" => {
                        if let Some(name) = place.strip_prefix("#/$defs/") {
                            *place = format!("{SCHEMAS}{name}");
                        }
                    }
                    other => rewrite_refs(other),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(rewrite_refs),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn device() -> Value {
    json!({
        "type": "object",
        "description": "A device.",
        "required": ["serial", "state"],
        "properties": {
            "serial": { "type": "string", "description": "The value for `deviceId`." },
            "state": {
                "type": "string",
                "description": "`device` for a ready phone, `embedded` for a simulated phone, `page` for a browser \
                    tab, otherwise why it is not ready.",
            },
            "title": { "type": "string", "description": "The title of a tab's page." },
            "url": { "type": "string", "description": "The URL of a tab's page." },
        },
    })
}

fn run() -> Value {
    json!({
        "type": "object",
        "description": "An execution, running or finished.",
        "required": ["ok", "commandId", "taskId", "state", "actionCount", "steps"],
        "properties": {
            "ok": { "const": true },
            "commandId": { "type": "string" },
            "taskId": { "type": "string" },
            "deviceId": { "type": "string", "description": "The device, once it is known." },
            "state": { "enum": ["queued", "running", "ended"] },
            "actionCount": { "type": "integer", "minimum": 1 },
            "steps": {
                "type": "array",
                "description": "The finished steps, without the text they read.",
                "items": {
                    "type": "object",
                    "required": ["id", "actionType", "success"],
                    "properties": {
                        "id": { "type": "string" },
                        "actionType": { "type": "string" },
                        "success": { "type": "boolean" },
                        "error": { "type": "string" },
                        "message": { "type": "string" },
                        "elapsedMs": { "type": "integer", "minimum": 0 },
                    },
                },
            },
            "result": {
                "description": "The response of the request; present once the execution has finished.",
                "anyOf": [
                    { "$ref": format!("{SCHEMAS}RunResponse") },
                    { "$ref": format!("{SCHEMAS}InspectionResponse") },
                    { "$ref": format!("{SCHEMAS}ErrorResponse") },
                ],
            },
        },
    })
}

fn operation(endpoint: Endpoint) -> Value {
    let (id, summary) = match endpoint {
        Endpoint::Execute => ("execute", "Run a plan on a device, or only validate it"),
        Endpoint::Snapshot => ("snapshot", "Read the screen as a tree of nodes"),
        Endpoint::Screenshot => ("screenshot", "Take a screenshot"),
        Endpoint::Inspect => (
            "inspect",
            "Find an element by description and return stable selectors for it",
        ),
        Endpoint::Selectors => ("selectors", "List all selectors for a known element"),
        Endpoint::GetExecution => ("findExecution", "Get an execution by its commandId"),
        Endpoint::CancelExecution => ("cancelExecution", "Cancel an execution"),
        Endpoint::Devices => ("devices", "List the devices"),
        Endpoint::Events => ("events", "Stream events as server-sent events"),
        Endpoint::Health => ("health", "Check that the server is running"),
        Endpoint::OpenApi => ("openapi", "Get this description"),
    };
    let mut operation = json!({
        "operationId": id,
        "summary": summary,
        "parameters": parameters(endpoint),
        "responses": responses(endpoint),
    });
    let Some(fields) = operation.as_object_mut() else {
        return operation;
    };
    if let Some(body) = body(endpoint) {
        let required = endpoint == Endpoint::Execute;
        fields.insert(
            "requestBody".to_owned(),
            json!({
                "required": required,
                "description": format!("At most {MAX_BYTES} bytes."),
                "content": { "application/json": { "schema": body } },
            }),
        );
    }
    if endpoint == Endpoint::Health {
        fields.insert("security".to_owned(), json!([]));
    }
    operation
}

fn parameter(name: &str, place: &str, description: &str, schema: Value) -> Value {
    json!({ "name": name, "in": place, "description": description, "schema": schema })
}

fn parameters(endpoint: Endpoint) -> Value {
    let wait = || {
        parameter(
            "wait",
            "query",
            "How long to wait for a busy device, in milliseconds; without it the response is 423 immediately.",
            json!({ "type": "integer", "minimum": 0, "maximum": limits::MAX_EXECUTION_TIMEOUT_MS }),
        )
    };
    let key = || {
        parameter(
            "Idempotency-Key",
            "header",
            "A key for this request. If the same request is sent again within ten minutes, it gets the first response \
            and does not run again.",
            json!({ "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]*[!-~][ -~]*$" }),
        )
    };
    let flag = |name, description| {
        parameter(
            name,
            "query",
            description,
            json!({ "type": "boolean", "default": false }),
        )
    };
    let device = |description| {
        parameter(
            "deviceId",
            "query",
            description,
            json!({ "type": "string" }),
        )
    };
    match endpoint {
        Endpoint::Execute => json!([
            wait(),
            flag(
                "validateOnly",
                "Validate the plan and return it in canonical form, without running it."
            ),
            flag(
                "dryRun",
                "Validate the plan and return its outline, without running it."
            ),
            key(),
        ]),
        Endpoint::Snapshot | Endpoint::Screenshot | Endpoint::Inspect | Endpoint::Selectors => {
            json!([wait(), key()])
        }
        Endpoint::GetExecution | Endpoint::CancelExecution => json!([
            {
                "name": "commandId", "in": "path", "required": true,
                "description": "The plan's id of the execution.",
                "schema": { "type": "string", "minLength": 1 },
            },
            device("The device, if executions with this id ran on several."),
        ]),
        Endpoint::Events => {
            let id = json!({ "type": "string", "pattern": "^[0-9a-f]{8}-[0-9]{1,19}$" });
            json!([
                parameter(
                    "Last-Event-ID",
                    "header",
                    "Start after this event.",
                    id.clone()
                ),
                parameter(
                    "lastEventId",
                    "query",
                    "The same, for clients that cannot set headers.",
                    id
                ),
                device("Only events of this device."),
            ])
        }
        Endpoint::Devices | Endpoint::Health | Endpoint::OpenApi => json!([]),
    }
}

/// The schema of a body: the options of the request, and the keys of the type that reads the others.
fn body(endpoint: Endpoint) -> Option<Value> {
    let mut schema = match endpoint {
        Endpoint::Execute => json!({
            "properties": { "execution": { "$ref": format!("{SCHEMAS}Execution") } },
            "required": ["execution"],
        }),
        Endpoint::Snapshot => params::<SnapshotUi>(endpoint),
        Endpoint::Screenshot => params::<TakeScreenshot>(endpoint),
        Endpoint::Inspect => schema::of_request::<InspectRequest>(),
        Endpoint::Selectors => schema::of_request::<SelectorsRequest>(),
        Endpoint::GetExecution
        | Endpoint::CancelExecution
        | Endpoint::Devices
        | Endpoint::Events
        | Endpoint::Health
        | Endpoint::OpenApi => return None,
    };
    rewrite_refs(&mut schema);
    let mut properties = request_options(endpoint);
    if let Some(Value::Object(keys)) = schema.get_mut("properties").map(Value::take) {
        properties.extend(keys);
    }
    let mut body = Map::new();
    body.insert("type".to_owned(), "object".into());
    body.insert("properties".to_owned(), properties.into());
    body.insert("additionalProperties".to_owned(), false.into());
    for rule in ["required", "allOf", "oneOf"] {
        if let Some(value) = schema.get_mut(rule) {
            body.insert(rule.to_owned(), value.take());
        }
    }
    Some(body.into())
}

/// The properties of the options that every request for a run takes.
fn request_options(endpoint: Endpoint) -> Map<String, Value> {
    let mut options = Map::new();
    let text = json!({ "type": ["string", "null"], "pattern": "\\S" });
    options.insert("deviceId".to_owned(), text);
    let part = "[A-Za-z][A-Za-z0-9_]*";
    let package = json!({
        "type": ["string", "null"],
        "maxLength": 223,
        "pattern": format!("^{part}(\\.{part})*$"),
    });
    options.insert("operatorPackage".to_owned(), package);
    if endpoint != Endpoint::Execute {
        let timeout = json!({
            "type": ["number", "null"],
            "description": "The time limit of the request, in milliseconds.",
            "minimum": limits::MIN_EXECUTION_TIMEOUT_MS,
            "maximum": limits::MAX_EXECUTION_TIMEOUT_MS,
            "default": service::plans::DEFAULT_TIMEOUT_MS,
        });
        options.insert("timeoutMs".to_owned(), timeout);
    }
    options
}

/// The schema of the params of an action that a body has. There null counts as absent.
fn params<T: JsonSchema>(endpoint: Endpoint) -> Value {
    let mut schema = schema::of::<T>();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.retain(|key, _| {
            let mut params = endpoint.params().iter();
            params.any(|param| param.as_str() == key)
        });
        for property in properties.values_mut().filter_map(Value::as_object_mut) {
            if let Some(kind) = property.get_mut("type") {
                *kind = json!([kind.take(), "null"]);
            }
            if let Some(reference) = property.remove("$ref") {
                let choices = json!([{ "$ref": reference }, { "type": "null" }]);
                property.insert("anyOf".to_owned(), choices);
            }
        }
    }
    schema
}

fn responses(endpoint: Endpoint) -> Value {
    let mut responses = Map::new();
    let reference = |name: &str| json!({ "$ref": format!("{SCHEMAS}{name}") });
    let body = |schema: Value| json!({ "application/json": { "schema": schema } });
    let (description, content) = match endpoint {
        Endpoint::Execute => (
            "The execution has finished; envelope.status says whether it succeeded. Or the validated plan.",
            body(
                json!({ "anyOf": [reference("RunResponse"), reference("Validated"), reference("Planned")] }),
            ),
        ),
        Endpoint::Snapshot => (
            "The tree is in envelope.stepResults[0].data.text.",
            body(reference("RunResponse")),
        ),
        Endpoint::Screenshot => (
            "The path of the file is in envelope.stepResults[0].data.path; with `Accept: image/png` or `image/jpeg` the image itself, in the format that `path` names.",
            json!({
                "application/json": { "schema": reference("RunResponse") },
                "image/png": { "schema": {} },
                "image/jpeg": { "schema": {} },
            }),
        ),
        Endpoint::Inspect | Endpoint::Selectors => {
            ("The element.", body(reference("InspectionResponse")))
        }
        Endpoint::GetExecution => ("The execution.", body(reference("Run"))),
        Endpoint::CancelExecution => ("The execution has finished.", body(reference("Run"))),
        Endpoint::Devices => (
            "The devices.",
            body(json!({
                "type": "object",
                "required": ["ok", "devices", "embedded"],
                "properties": {
                    "ok": { "const": true },
                    "devices": { "type": "array", "items": reference("Device"), "description": "Attached devices: phones and browser tabs." },
                    "embedded": { "type": "array", "items": reference("Device"), "description": "Simulated phones inside the \
                        server: `sim` and those with a run." },
                },
            })),
        ),
        Endpoint::Events => (
            "Events: `heartbeat`, `clawperator:started`, `clawperator:step`, `clawperator:result`, \
            `clawperator:execution`, `clawperator:device`, and `clawperator:missed` if some are no longer stored. Data \
            is JSON on one line.",
            // An event stream has no schema.
            json!({ "text/event-stream": {} }),
        ),
        Endpoint::Health => (
            "The server is running.",
            body(json!({
                "type": "object",
                "required": ["ok", "version"],
                "properties": { "ok": { "const": true }, "version": { "type": "string" } },
            })),
        ),
        Endpoint::OpenApi => ("This description.", body(json!({ "type": "object" }))),
    };
    responses.insert(
        "200".to_owned(),
        json!({ "description": description, "content": content }),
    );
    if endpoint == Endpoint::CancelExecution {
        responses.insert(
            "202".to_owned(),
            json!({ "description": "The execution was cancelled and has not finished yet.", "content": body(reference("Run")) }),
        );
    }
    for (status, codes) in errors_by_status(endpoint) {
        responses.insert(
            status.to_string(),
            json!({
                "description": codes.join(", "),
                "content": { "application/json": { "schema": reference("ErrorResponse") } },
            }),
        );
    }
    responses.sort_keys();
    Value::Object(responses)
}

/// The error codes of a route by status.
fn errors_by_status(endpoint: Endpoint) -> std::collections::BTreeMap<u16, Vec<&'static str>> {
    use ErrorCode as Code;
    let always: &[Code] = &[
        Code::InvalidRequest,
        Code::HeadTooLarge,
        Code::RequestTimeout,
        Code::InvalidQuery,
        Code::HostNotAllowed,
        Code::OriginNotAllowed,
        Code::ServerBusy,
        Code::InternalError,
    ];
    let body: &[Code] = &[
        Code::InvalidJson,
        Code::InvalidBody,
        Code::UnsupportedMediaType,
        Code::PayloadTooLarge,
    ];
    let devices: &[Code] = &[Code::AdbServerFailed, Code::ChromeUnreachable];
    let running: &[Code] = &[
        Code::ExecutionValidationFailed,
        Code::InvalidDeviceId,
        Code::InvalidOperatorPackage,
        Code::InvalidHeader,
        Code::InvalidPath,
        Code::SimAppInvalid,
        Code::MultipleDevices,
        Code::TabAmbiguous,
        Code::NoDevices,
        Code::DeviceNotFound,
        Code::ExecutionConflictInFlight,
        Code::IdempotencyKeyReused,
        Code::IdempotencyAnswerGone,
        Code::ExecutionCancelled,
        Code::ActionNotSupportedHere,
        Code::ResultEnvelopeTimeout,
        Code::ServerStopping,
        Code::AdbNotFound,
        Code::OperatorNotInstalled,
        Code::DeviceLost,
    ];
    let specific: &[Code] = match endpoint {
        Endpoint::Execute => &[
            Code::MissingExecution,
            Code::ExecutionActionUnsupported,
            Code::CssInvalid,
        ],
        Endpoint::Screenshot => &[Code::ScreenshotFailed],
        Endpoint::Inspect | Endpoint::Selectors => &[
            Code::ElementNotFound,
            Code::ReferenceNotFound,
            Code::StableSelectorNotFound,
            Code::ElementAmbiguous,
            Code::SelectorNotSupported,
            Code::SnapshotExtractionFailed,
        ],
        Endpoint::GetExecution | Endpoint::CancelExecution => {
            &[Code::ExecutionNotFound, Code::MultipleDevices]
        }
        Endpoint::Events => &[Code::InvalidHeader],
        Endpoint::Snapshot | Endpoint::Devices | Endpoint::Health | Endpoint::OpenApi => &[],
    };
    let mut codes: Vec<Code> = always.to_vec();
    codes.extend(specific);
    if endpoint != Endpoint::Health {
        codes.push(Code::Unauthorized);
    }
    if endpoint.has_body() {
        codes.extend(body);
        codes.extend(running);
        codes.extend(devices);
    }
    if endpoint == Endpoint::Devices {
        codes.extend(devices);
    }
    let mut by_status = std::collections::BTreeMap::<u16, Vec<&'static str>>::new();
    for code in codes {
        let strings = by_status.entry(status(code).as_u16()).or_default();
        if !strings.contains(&code.as_str()) {
            strings.push(code.as_str());
        }
    }
    by_status
}
