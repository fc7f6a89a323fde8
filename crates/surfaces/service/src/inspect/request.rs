//! Parsing the inspection requests of servers.

use contract::{ErrorBody, ErrorCode, InspectRequest, NodeMatcher, limits};
use serde_json::Value;

use super::{AttributeFilter, Direction, ElementDescription, NearAnchor, Request};

/// The maximal number of elements in an answer.
const MAX_LIMIT: usize = 20;

impl TryFrom<InspectRequest> for ElementDescription {
    type Error = ErrorBody;

    /// Checks what the types do not express.
    fn try_from(request: InspectRequest) -> Result<Self, ErrorBody> {
        let InspectRequest {
            description,
            text_contains,
            near,
            attributes,
            tag,
            strict_stability,
            limit,
        } = request;
        let texts = [
            ("description", &description),
            ("text_contains", &text_contains),
            ("attributes.role", &attributes.role),
            ("attributes.aria_label", &attributes.aria_label),
            ("attributes.data_testid", &attributes.data_testid),
            ("attributes.class_contains", &attributes.class_contains),
            ("attributes.placeholder", &attributes.placeholder),
            ("attributes.type", &attributes.kind),
            ("tag", &tag),
        ];
        for (path, text) in texts {
            if text.as_deref().is_some_and(limits::is_blank) {
                return Err(refused(path, "must not be blank"));
            }
        }
        if limit.is_some_and(|limit| !(1..=MAX_LIMIT).contains(&limit)) {
            return Err(refused("limit", format!("must be from 1 to {MAX_LIMIT}")));
        }
        let near = match near {
            None => None,
            Some(near) => Some(NearAnchor {
                what: match near.selector {
                    Value::String(words) if !limits::is_blank(&words) => words,
                    // Matchers are validated before a device is touched.
                    matcher @ Value::Object(_) => {
                        NodeMatcher::from_value(&matcher)?;
                        matcher.to_string()
                    }
                    _ => {
                        return Err(refused(
                            "near.selector",
                            "must be a matcher, on web pages a CSS selector, or words on the screen",
                        ));
                    }
                },
                direction: match near.direction {
                    None => None,
                    Some(word) => Some(Direction::parse(&word).ok_or_else(|| {
                        let sides: Vec<&str> =
                            Direction::ALL.iter().map(|side| side.as_str()).collect();
                        let message = format!("must be one of {}, not {word:?}", sides.join(", "));
                        refused("near.direction", message)
                    })?),
                },
            }),
        };
        let request = Request {
            description,
            text_contains,
            near: None,
            attributes: AttributeFilter {
                role: attributes.role,
                aria_label: attributes.aria_label,
                data_testid: attributes.data_testid,
                class_contains: attributes.class_contains,
                placeholder: attributes.placeholder,
                r#type: attributes.kind,
            },
            tag,
            strict_stability,
            limit,
        };
        if request.is_empty() && near.is_none() {
            return Err(refused("description", "or a filter is required"));
        }
        Ok(Self { request, near })
    }
}

/// The error of a key, with its path.
fn refused(path: &str, message: impl std::fmt::Display) -> ErrorBody {
    ErrorBody::new(
        ErrorCode::ExecutionValidationFailed,
        format!("{path} {message}"),
    )
    .with_detail("path", path)
    .with_hint("For example {\"description\":\"the login button\"}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(request: Value) -> Result<ElementDescription, ErrorBody> {
        ElementDescription::try_from(serde_json::from_value::<InspectRequest>(request).unwrap())
    }

    #[test]
    fn request_is_validated_before_a_device_is_used() {
        for (request, expected) in [
            (json!({}), "description or a filter is required"),
            (json!({"description": " "}), "description must not be blank"),
            (
                json!({"description": "x", "tag": ""}),
                "tag must not be blank",
            ),
            (
                json!({"description": "x", "attributes": {"ariaLabel": " "}}),
                "attributes.aria_label must not be blank",
            ),
            (
                json!({"description": "x", "near": {"selector": ""}}),
                "near.selector",
            ),
            (json!({"description": "x", "limit": 21}), "1 to 20"),
            (json!({"near": {"selector": 5}}), "near.selector"),
            (
                json!({"near": {"selector": "#a", "direction": "beside"}}),
                "above",
            ),
            (json!({"near": {"selector": {"textIs": "a"}}}), "textIs"),
        ] {
            let error = read(request.clone()).unwrap_err();
            assert!(
                error.message.contains(expected),
                "{request} {}",
                error.message
            );
        }
        let near = json!({"near": {"selector": {"textEquals": "Name"}, "direction": "below"}});
        let description = read(near).unwrap();
        assert_eq!(description.near.unwrap().what, r#"{"textEquals":"Name"}"#);
        let both = json!({"attributes": {"dataTestid": "login-*"}, "strictStability": true});
        let description = read(both).unwrap().request;
        assert_eq!(
            description.attributes.data_testid.as_deref(),
            Some("login-*")
        );
        assert!(description.strict_stability);
    }
}
