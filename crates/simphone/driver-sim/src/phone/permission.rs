//! Permissions: what apps may do, and how they ask for it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::journal::Event;
use sim_format::app::App;
use sim_format::effects::{Effects, PermissionRequest};
use sim_format::expr::{CONFIG, GRANTED, Value, Vars};
use sim_format::words::Words;

use super::{Context, Phone};
use sim_format::{Permission, SystemWindow};

/// What apps may do, and the requests that wait for an answer.
#[derive(Debug, Default)]
pub(super) struct Permissions {
    /// By app and permission, whether it was granted.
    granted: BTreeMap<(Arc<str>, Permission), bool>,
    requests: Vec<Request>,
}

impl Permissions {
    fn has(&self, app: &str, permission: Permission) -> bool {
        self.granted
            .iter()
            .any(|((owner, name), granted)| &**owner == app && *name == permission && *granted)
    }

    /// What an app was granted and denied.
    fn of(&self, app: &str) -> impl Iterator<Item = (Permission, bool)> {
        self.granted
            .iter()
            .filter(move |((owner, _), _)| &**owner == app)
            .map(|((_, permission), granted)| (*permission, *granted))
    }

    /// Forgets the answers about an app.
    pub(super) fn forget(&mut self, app: &str) {
        self.granted.retain(|(owner, _), _| &**owner != app);
    }

    /// Takes the request of an app for a permission, if one waits.
    fn take_request(&mut self, app: &str, permission: Permission) -> Option<Request> {
        let place = self
            .requests
            .iter()
            .position(|request| &*request.context.app == app && request.permission == permission)?;
        Some(self.requests.remove(place))
    }
}

/// A request that waits for its answer.
#[derive(Clone, Debug)]
struct Request {
    context: Context,
    permission: Permission,
    granted: Effects,
    denied: Effects,
}

impl Phone {
    /// Ends an app from the settings.
    pub(super) fn stop_app(&mut self, package: &str) {
        if self.close_app(package).is_err() {
            self.show_toast(Arc::from("The app is not installed"));
        }
    }

    /// Asks the user for a permission with the system's prompt, unless the app has it. What follows happens with the
    /// answer, at once if there is nothing to ask.
    pub(super) fn request_permission(&mut self, context: &Context, asked: &PermissionRequest) {
        if self.has_permission(&context.app, asked.permission) {
            self.run(context, &asked.granted);
            return;
        }
        self.note(Event::PermissionAsked {
            app: Arc::clone(&context.app),
            permission: asked.permission,
        });
        self.permissions.requests.push(Request {
            context: context.clone(),
            permission: asked.permission,
            granted: Arc::clone(&asked.granted),
            denied: Arc::clone(&asked.denied),
        });
        self.show_system(SystemWindow::Permission {
            app: context.app.to_string(),
            permission: asked.permission,
        });
    }

    /// The user has answered a prompt.
    pub(super) fn permission_answered(
        &mut self,
        app: &Arc<str>,
        permission: Permission,
        granted: bool,
    ) {
        self.permissions
            .granted
            .insert((Arc::clone(app), permission), granted);
        if let Some(task) = self.task_mut(app) {
            let name = format!("{GRANTED}{}", permission.word());
            task.vars.define(&name, Value::Bool(granted));
        }
        self.bump();
        if let Some(request) = self.permissions.take_request(app, permission) {
            let effects = if granted {
                &request.granted
            } else {
                &request.denied
            };
            self.run(&request.context, effects);
        }
    }

    /// Whether an app has a permission.
    pub fn has_permission(&self, app: &str, permission: Permission) -> bool {
        self.permissions.has(app, permission)
    }

    /// Forgets the questions of an app that was closed.
    pub(super) fn forget_requests(&mut self, app: &str) {
        self.permissions
            .requests
            .retain(|request| &*request.context.app != app);
    }

    /// The variables that an app starts with: its own, the language and what it may do.
    pub(super) fn first_vars(&self, app: &App) -> Vars {
        let mut vars = Vars::of(&app.state, &app.data);
        vars.provide(CONFIG.into_iter().zip(self.config.values()));
        for (permission, granted) in self.permissions.of(&app.package) {
            let name = format!("{GRANTED}{}", permission.word());
            vars.define(&name, Value::Bool(granted));
        }
        vars
    }
}
