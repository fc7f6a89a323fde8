//! Scripts. User input goes into arguments, never into the source of a script.
#![expect(missing_docs, reason = "fields are those of the protocol")]

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{EmptyResult, bare, events, methods};
use crate::ObjectId;

bare! {
    /// Enables events of execution contexts and of the console, and repeats earlier messages.
    Enable = "Runtime.enable" -> EmptyResult;
    /// Disables them.
    Disable = "Runtime.disable" -> EmptyResult;
    /// Resumes a target that waits for a debugger.
    RunIfWaitingForDebugger = "Runtime.runIfWaitingForDebugger" -> EmptyResult;
}

/// A value or object of a script.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RemoteObject {
    #[serde(rename = "type", default)]
    pub kind: String,
    pub subtype: Option<String>,
    pub class_name: Option<String>,
    #[serde(default)]
    pub value: Value,
    pub unserializable_value: Option<String>,
    pub description: Option<String>,
    pub object_id: Option<ObjectId>,
}

/// An exception of a script.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExceptionDetails {
    #[serde(default)]
    pub text: String,
    pub url: Option<String>,
    #[serde(default)]
    pub line_number: i64,
    pub exception: Option<RemoteObject>,
}

impl ExceptionDetails {
    /// The message of the exception.
    pub fn message(&self) -> &str {
        let thrown = self.exception.as_ref();
        thrown
            .and_then(|thrown| {
                thrown
                    .description
                    .as_deref()
                    .or_else(|| thrown.value.as_str())
            })
            .unwrap_or(&self.text)
    }
}

/// The result of a script.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluated {
    pub result: RemoteObject,
    pub exception_details: Option<ExceptionDetails>,
}

/// Evaluates an expression.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluate {
    pub expression: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub return_by_value: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub await_promise: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_gesture: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object_group: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silent: Option<bool>,
}

/// An argument of a function.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CallArgument {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object_id: Option<ObjectId>,
}

impl CallArgument {
    /// A value.
    pub fn value(value: impl Into<Value>) -> Self {
        Self {
            value: Some(value.into()),
            object_id: None,
        }
    }

    /// A remote object.
    pub fn object(id: &ObjectId) -> Self {
        Self {
            value: None,
            object_id: Some(id.clone()),
        }
    }
}

/// Calls a function on an object, or in a context.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CallFunctionOn {
    pub function_declaration: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object_id: Option<ObjectId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution_context_id: Option<i64>,
    pub arguments: Vec<CallArgument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub return_by_value: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub await_promise: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_gesture: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object_group: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silent: Option<bool>,
}

/// Returns the properties of an object.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GetProperties {
    pub object_id: ObjectId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_properties: Option<bool>,
}

/// Properties of an object.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Properties {
    pub result: Vec<PropertyDescriptor>,
}

/// A property of an object.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct PropertyDescriptor {
    pub name: String,
    pub value: Option<RemoteObject>,
}

/// Releases an object.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReleaseObject {
    pub object_id: ObjectId,
}

/// Releases the objects of a group.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReleaseObjectGroup {
    pub object_group: &'static str,
}

methods! {
    Evaluate = "Runtime.evaluate" -> Evaluated;
    CallFunctionOn = "Runtime.callFunctionOn" -> Evaluated;
    GetProperties = "Runtime.getProperties" -> Properties;
    ReleaseObject = "Runtime.releaseObject" -> EmptyResult;
    ReleaseObjectGroup = "Runtime.releaseObjectGroup" -> EmptyResult;
}

/// All execution contexts of the session are gone.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct ExecutionContextsCleared {}

/// A function of the console was called.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConsoleApiCalled {
    /// Such as `log`, `error`, `assert`.
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub args: Vec<RemoteObject>,
    pub stack_trace: Option<StackTrace>,
}

/// An exception was not caught.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExceptionThrown {
    pub exception_details: ExceptionDetails,
}

/// The calls that led to a message.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StackTrace {
    #[serde(default)]
    pub call_frames: Vec<CallFrame>,
}

/// A call.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallFrame {
    #[serde(default)]
    pub url: String,
    #[serde(default)]
    pub line_number: i64,
}

events! {
    ConsoleApiCalled = "Runtime.consoleAPICalled";
    ExceptionThrown = "Runtime.exceptionThrown";
    ExecutionContextsCleared = "Runtime.executionContextsCleared";
}
