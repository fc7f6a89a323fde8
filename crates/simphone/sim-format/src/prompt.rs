//! System windows above apps, and permissions.

use uitree::WindowKind;

use crate::words::words;

/// A window that the system shows above apps. `app` is the package of the app concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SystemWindow {
    /// A crash dialog; the app has ended. The second time it "keeps stopping".
    Crash {
        app: String,
    },
    /// A dialog that the app isn't responding, to wait or close it.
    NotResponding {
        app: String,
    },
    Permission {
        app: String,
        permission: Permission,
    },
    Update {
        app: String,
    },
    /// A heads-up notification, shown for five seconds. The app below stays usable.
    Banner {
        /// The package; the app opens when the notification is tapped.
        app: String,
        title: String,
        text: String,
    },
}

words! {
    #[derive(PartialOrd, Ord, Hash)]
    pub enum Permission {
        Camera = "camera",
        Microphone = "microphone",
        Location = "location",
        Notifications = "notifications",
        Contacts = "contacts",
        Calendar = "calendar",
        Photos = "photos",
        Phone = "phone",
        Sms = "sms",
        NearbyDevices = "nearby_devices",
    }
}

impl Permission {
    /// Returns the icon of the prompt, and its text after "Allow (app) to".
    pub const fn asks(self) -> (&'static str, &'static str) {
        match self {
            Permission::Camera => ("camera", "take pictures and record video?"),
            Permission::Microphone => ("mic", "record audio?"),
            Permission::Location => ("place", "access this device’s location?"),
            Permission::Notifications => ("notifications", "send you notifications?"),
            Permission::Contacts => ("person", "access your contacts?"),
            Permission::Calendar => ("calendar", "access your calendar?"),
            Permission::Photos => ("image", "access photos and videos on this device?"),
            Permission::Phone => ("phone", "make and manage phone calls?"),
            Permission::Sms => ("chat", "send and view SMS messages?"),
            Permission::NearbyDevices => (
                "bluetooth",
                "find, connect to, and determine the relative position of nearby devices?",
            ),
        }
    }

    /// Whether the prompt offers "while using the app" and "only this time".
    pub const fn for_use(self) -> bool {
        matches!(
            self,
            Permission::Camera | Permission::Microphone | Permission::Location
        )
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grant {
    /// Allowed, always, while using the app or once.
    Allowed,
    Denied,
}

impl SystemWindow {
    pub fn app(&self) -> &str {
        match self {
            SystemWindow::Crash { app }
            | SystemWindow::NotResponding { app }
            | SystemWindow::Permission { app, .. }
            | SystemWindow::Update { app }
            | SystemWindow::Banner { app, .. } => app,
        }
    }

    /// Returns the page of the system's app file that shows it.
    pub const fn page(&self) -> &'static str {
        match self {
            SystemWindow::Crash { .. } => "crash",
            SystemWindow::NotResponding { .. } => "not_responding",
            SystemWindow::Permission { .. } => "permission",
            SystemWindow::Update { .. } => "update",
            SystemWindow::Banner { .. } => "banner",
        }
    }

    /// Whether it belongs to the app's task and leaves the screen with it.
    pub const fn belongs_to_app(&self) -> bool {
        match self {
            SystemWindow::Permission { .. } | SystemWindow::Update { .. } => true,
            SystemWindow::Crash { .. }
            | SystemWindow::NotResponding { .. }
            | SystemWindow::Banner { .. } => false,
        }
    }

    pub const fn is_banner(&self) -> bool {
        matches!(self, SystemWindow::Banner { .. })
    }

    pub const fn window_kind(&self) -> WindowKind {
        match self {
            SystemWindow::Permission { .. } | SystemWindow::Update { .. } => {
                WindowKind::Application
            }
            SystemWindow::Crash { .. }
            | SystemWindow::NotResponding { .. }
            | SystemWindow::Banner { .. } => WindowKind::System,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Words;

    #[test]
    fn every_permission_has_an_icon() {
        for (_, permission) in Permission::TABLE {
            assert!(draw::icon_names().contains(&permission.asks().0));
        }
    }
}
