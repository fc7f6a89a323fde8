//! Grants for the Operator app: its accessibility service, notifications, its notification listener.

use adb::command;
use driver::{Cx, DriverError, Result};

use crate::manage::settings::{Settings, Table};
use crate::names::check_package;
use crate::operator::SERVICE;
use crate::shell::Shell;

/// The notification listener class of the Operator app, relative to its package.
pub const LISTENER: &str = "action.notification.NotificationListenerService";
/// The permission to show notifications, required since Android 13.
pub const NOTIFICATIONS: &str = "android.permission.POST_NOTIFICATIONS";
/// Messages of the package manager for a permission that this Android does not know, that needs no grant, or
/// that this build of the app does not request.
const NEEDLESS: [&str; 4] = [
    "unknown permission",
    "not a changeable permission type",
    "already granted",
    "has not requested permission",
];

/// The result of a grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Whether the app has it now.
    pub ok: bool,
    /// Whether the app had it before, if known.
    pub already_enabled: Option<bool>,
    /// Whether this phone does not have this grant.
    pub skipped: Option<bool>,
    /// The phone's message.
    pub error: Option<String>,
}

/// The three grants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grants {
    /// Its accessibility service is enabled.
    pub accessibility: Grant,
    /// It may show notifications.
    pub notification: Grant,
    /// It receives notifications.
    pub notification_listener: Grant,
}

/// The outcome of granting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrantOutcome {
    /// Nothing was missing.
    Already,
    /// Something was missing and is granted now.
    Now,
    /// Something is still missing; its name in answers.
    Not(&'static str),
}

impl Grants {
    /// The outcome; of several missing grants the first.
    pub fn outcome(&self) -> GrantOutcome {
        let all = [
            ("accessibility", &self.accessibility),
            ("notification", &self.notification),
            ("notificationListener", &self.notification_listener),
        ];
        if let Some((name, _)) = all.iter().find(|(_, grant)| !grant.ok) {
            return GrantOutcome::Not(name);
        }
        // `pm grant` does not say whether it changed anything.
        let services = [&self.accessibility, &self.notification_listener];
        let had = |grant: &&Grant| grant.already_enabled == Some(true);
        if services.iter().all(had) {
            GrantOutcome::Already
        } else {
            GrantOutcome::Now
        }
    }
}

/// Grants the Operator app with this package everything that it needs. Each grant is tried even if others
/// failed.
///
/// # Errors
/// `NotInstalled` if it is not a package name; `Lost`, and the end of the context.
pub async fn grant(shell: &Shell, cx: &Cx, package: &str) -> Result<Grants> {
    check_package(package).map_err(|_| DriverError::NotInstalled(package.to_owned()))?;
    Ok(Grants {
        accessibility: accessibility(shell, cx, package, SERVICE).await?,
        notification: notification(shell, cx, package).await?,
        notification_listener: listener(shell, cx, package).await?,
    })
}

/// Switches an accessibility service on, beside those that are.
pub(super) async fn accessibility(
    shell: &Shell,
    cx: &Cx,
    package: &str,
    class: &str,
) -> Result<Grant> {
    let settings = Settings::new(shell, cx);
    let (on, list) = ("accessibility_enabled", "enabled_accessibility_services");
    let changed = async {
        let listed = listed(settings, list, package, class).await?;
        let switched = settings.get(Table::Secure, on).await?.as_deref() == Some("1");
        if let ListChange::Without(longer) = &listed {
            settings.put(Table::Secure, list, longer).await?;
        }
        if !switched {
            settings.put(Table::Secure, on, "1").await?;
        }
        Ok(listed == ListChange::Has && switched)
    };
    enabled(changed.await)
}

async fn listener(shell: &Shell, cx: &Cx, package: &str) -> Result<Grant> {
    let settings = Settings::new(shell, cx);
    let list = "enabled_notification_listeners";
    let changed = async {
        let listed = listed(settings, list, package, LISTENER).await?;
        if let ListChange::Without(longer) = &listed {
            settings.put(Table::Secure, list, longer).await?;
        }
        Ok(listed == ListChange::Has)
    };
    enabled(changed.await)
}

/// The result of a service's grant: a refusal is a result, a lost phone an error.
fn enabled(changed: Result<bool>) -> Result<Grant> {
    match changed {
        Ok(already) => Ok(Grant {
            ok: true,
            already_enabled: Some(already),
            skipped: None,
            error: None,
        }),
        Err(DriverError::Refused(message)) => Ok(Grant {
            ok: false,
            already_enabled: Some(false),
            skipped: None,
            error: Some(message),
        }),
        Err(error) => Err(error),
    }
}

pub(super) async fn notification(shell: &Shell, cx: &Cx, package: &str) -> Result<Grant> {
    let answer = |ok, skipped, error| Grant {
        ok,
        already_enabled: None,
        skipped: Some(skipped),
        error,
    };
    let words = ["pm", "grant", package, NOTIFICATIONS];
    match shell.change(cx, &command(words)).await {
        Ok(_) => Ok(answer(true, false, None)),
        Err(DriverError::Refused(message)) => {
            let lower = message.to_lowercase();
            let needless = NEEDLESS.iter().any(|words| lower.contains(words));
            Ok(answer(needless, needless, Some(message)))
        }
        Err(error) => Err(error),
    }
}

/// The state of one service in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ListChange {
    Has,
    /// It is missing; this is the list with it.
    Without(String),
}

async fn listed(
    settings: Settings<'_>,
    key: &str,
    package: &str,
    class: &str,
) -> Result<ListChange> {
    let value = settings.get(Table::Secure, key).await?;
    Ok(with(value.as_deref().unwrap_or_default(), package, class))
}

/// The list with a component added, unless it is there already in long or short form.
fn with(list: &str, package: &str, class: &str) -> ListChange {
    let whole = |class: &str| match class.strip_prefix('.') {
        Some(rest) => format!("{package}.{rest}"),
        None => class.to_owned(),
    };
    let mut entries = list.split(':').map(str::trim);
    let has = entries.any(|entry| {
        entry
            .split_once('/')
            .is_some_and(|(owner, its)| owner == package && whole(its) == class)
    });
    if has {
        return ListChange::Has;
    }
    let kept = list.trim().trim_end_matches(':');
    ListChange::Without(if kept.is_empty() {
        format!("{package}/{class}")
    } else {
        format!("{kept}:{package}/{class}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn service_is_matched_exactly() {
        let (package, class) = ("com.x", "com.x.Service");
        let missing = |list: &str| with(list, package, class);
        assert_eq!(
            missing(""),
            ListChange::Without("com.x/com.x.Service".to_owned())
        );
        assert_eq!(missing("com.x/.Service"), ListChange::Has);
        assert_eq!(missing("com.y/.A:com.x/com.x.Service"), ListChange::Has);
        // A package whose name has the same suffix is another service.
        assert_eq!(
            missing("org.com.x/com.x.Service"),
            ListChange::Without("org.com.x/com.x.Service:com.x/com.x.Service".to_owned())
        );
        assert_eq!(
            missing("com.x/com.x.ServiceTwo:"),
            ListChange::Without("com.x/com.x.ServiceTwo:com.x/com.x.Service".to_owned())
        );
    }

    #[test]
    fn first_missing_grant_is_named() {
        let service = |ok, already| Grant {
            ok,
            already_enabled: Some(already),
            skipped: None,
            error: None,
        };
        let mut grants = Grants {
            accessibility: service(true, true),
            notification: Grant {
                ok: true,
                already_enabled: None,
                skipped: Some(true),
                error: None,
            },
            notification_listener: service(true, true),
        };
        assert_eq!(grants.outcome(), GrantOutcome::Already);
        grants.accessibility = service(true, false);
        assert_eq!(grants.outcome(), GrantOutcome::Now);
        grants.notification_listener = service(false, false);
        grants.notification.ok = false;
        assert_eq!(grants.outcome(), GrantOutcome::Not("notification"));
    }
}
