//! Names of the Operator app's components and of its setting.

/// The action of the broadcast that carries a command.
pub(crate) const ACTION: &str = "app.clawperator.operator.ACTION_AGENT_COMMAND";
/// The extra of that broadcast that holds the command.
pub(crate) const EXTRA: &str = "payload";
/// The class of its only activity.
pub(crate) const ACTIVITY: &str = "clawperator.activity.MainActivity";
pub(crate) const SERVICE: &str =
    "clawperator.operator.accessibilityservice.OperatorAccessibilityService";
/// The table and key of the setting that lists the enabled accessibility services.
pub(crate) const SERVICES: (&str, &str) = ("secure", "enabled_accessibility_services");
