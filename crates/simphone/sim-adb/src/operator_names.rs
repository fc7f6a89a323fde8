//! Names by which the system knows the Operator app.

/// The action of the broadcast that carries a command.
pub(crate) const ACTION: &str = "app.clawperator.operator.ACTION_AGENT_COMMAND";
/// The extra of it that holds the command.
pub(crate) const EXTRA: &str = "payload";
/// The class of its only activity.
pub(crate) const ACTIVITY: &str = "clawperator.activity.MainActivity";
/// The class of its accessibility service.
pub(crate) const SERVICE: &str =
    "clawperator.operator.accessibilityservice.OperatorAccessibilityService";
/// Where the settings say which accessibility services run.
pub(crate) const SERVICES: (&str, &str) = ("secure", "enabled_accessibility_services");
