//! What the system can show above apps, and what the user can answer.

use uitree::WindowKind;

use crate::words::words;

/// A window that the system shows above the apps. `app` is always the package of the app that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SystemWindow {
    /// The app has crashed: it is ended at once, and a dialog says so. The second time it "keeps stopping".
    Crash {
        /// Which app.
        app: String,
    },
    /// The app does not answer: the user may wait or close it.
    NotResponding {
        /// Which app.
        app: String,
    },
    /// The app asks for a permission.
    Permission {
        /// Which app.
        app: String,
        /// For what.
        permission: Permission,
    },
    /// A sheet over the lower half of the app offers an update of it.
    Update {
        /// Which app.
        app: String,
    },
    /// A notification drops in at the upper edge and leaves after five seconds. The app below stays usable.
    Banner {
        /// Which app sends it; it opens when the notification is tapped.
        app: String,
        /// Its first line.
        title: String,
        /// Its second line.
        text: String,
    },
}

words! {
    /// What an app may ask for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Permission {
        /// Pictures and video.
        Camera = "camera",
        /// Sound.
        Microphone = "microphone",
        /// Where the phone is.
        Location = "location",
        /// To show notifications.
        Notifications = "notifications",
        /// The address book.
        Contacts = "contacts",
        /// The calendar.
        Calendar = "calendar",
        /// Pictures and videos that are there.
        Photos = "photos",
        /// To make calls.
        Phone = "phone",
        /// Text messages.
        Sms = "sms",
        /// Devices nearby.
        NearbyDevices = "nearby_devices",
    }
}

impl Permission {
    /// The icon of its prompt, and what the prompt asks after "Allow (name of the app) to".
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

    /// Whether the prompt offers it for the time the app is used, and for once, instead of for ever.
    pub const fn for_use(self) -> bool {
        matches!(
            self,
            Permission::Camera | Permission::Microphone | Permission::Location
        )
    }
}

/// What the user answers to a permission prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grant {
    /// Allow, for ever, while the app is used or only this time.
    Allowed,
    /// Don’t allow, or the prompt was left with back.
    Denied,
}

impl SystemWindow {
    /// The package of the app that it is about.
    pub fn app(&self) -> &str {
        match self {
            SystemWindow::Crash { app }
            | SystemWindow::NotResponding { app }
            | SystemWindow::Permission { app, .. }
            | SystemWindow::Update { app }
            | SystemWindow::Banner { app, .. } => app,
        }
    }

    /// The page of the system's app file that shows it.
    pub const fn page(&self) -> &'static str {
        match self {
            SystemWindow::Crash { .. } => "crash",
            SystemWindow::NotResponding { .. } => "not_responding",
            SystemWindow::Permission { .. } => "permission",
            SystemWindow::Update { .. } => "update",
            SystemWindow::Banner { .. } => "banner",
        }
    }

    /// Whether it is in the app's own task and leaves the screen with it.
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
    fn every_permission_has_its_icon() {
        for (_, permission) in Permission::TABLE {
            assert!(draw::icon_names().contains(&permission.asks().0));
        }
    }
}
