//! Permissions of apps and their requests.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::journal::Event;
use sim_format::app::App;
use sim_format::effects::{Effects, PermissionRequest};
use sim_format::expr::{CONFIG, GRANTED, Value, Vars};
use sim_format::words::Words;

use super::{Context, Phone};
use sim_format::{Permission, SystemWindow};

#[derive(Debug, Default)]
pub(super) struct Permissions {
    granted: BTreeMap<(Arc<str>, Permission), bool>,
    requests: Vec<Request>,
}

impl Permissions {
    fn has(&self, app: &str, permission: Permission) -> bool {
        self.granted
            .iter()
            .any(|((owner, name), granted)| &**owner == app && *name == permission && *granted)
    }

    /// The permissions that an app was granted or denied.
    fn of(&self, app: &str) -> impl Iterator<Item = (Permission, bool)> {
        self.granted
            .iter()
            .filter(move |((owner, _), _)| &**owner == app)
            .map(|((_, permission), granted)| (*permission, *granted))
    }

    pub(super) fn forget(&mut self, app: &str) {
        self.granted.retain(|(owner, _), _| &**owner != app);
    }

    /// Removes and returns the pending request of an app for a permission.
    fn take_request(&mut self, app: &str, permission: Permission) -> Option<Request> {
        let place = self
            .requests
            .iter()
            .position(|request| &*request.context.app == app && request.permission == permission)?;
        Some(self.requests.remove(place))
    }
}

#[derive(Clone, Debug)]
struct Request {
    context: Context,
    permission: Permission,
    granted: Effects,
    denied: Effects,
}

impl Phone {
    pub(super) fn stop_app(&mut self, package: &str) {
        if self.close_app(package).is_err() {
            self.show_toast(Arc::from("The app is not installed"));
        }
    }

    /// Shows a permission prompt, whose answer selects the effects to run. If the app has the permission, `granted`
    /// runs at once.
    pub(super) fn request_permission(&mut self, context: &Context, request: &PermissionRequest) {
        if self.has_permission(&context.app, request.permission) {
            self.run(context, &request.granted);
            return;
        }
        self.note(Event::PermissionAsked {
            app: Arc::clone(&context.app),
            permission: request.permission,
        });
        self.permissions.requests.push(Request {
            context: context.clone(),
            permission: request.permission,
            granted: Arc::clone(&request.granted),
            denied: Arc::clone(&request.denied),
        });
        self.show_system(SystemWindow::Permission {
            app: context.app.to_string(),
            permission: request.permission,
        });
    }

    /// Records the answer of a prompt and runs the effects of the request.
    pub(super) fn report_permission_answer(
        &mut self,
        app: &Arc<str>,
        permission: Permission,
        granted: bool,
    ) {
        let answers = &mut self.permissions.granted;
        answers.insert((Arc::clone(app), permission), granted);
        if let Some(task) = self.task_mut(app) {
            let name = format!("{GRANTED}{}", permission.word());
            task.vars.define(&name, Value::Bool(granted));
        }
        self.bump();
        if let Some(request) = self.permissions.take_request(app, permission) {
            let effects = match granted {
                true => &request.granted,
                false => &request.denied,
            };
            self.run(&request.context, effects);
        }
    }

    pub fn has_permission(&self, app: &str, permission: Permission) -> bool {
        self.permissions.has(app, permission)
    }

    /// Drops the pending requests of an app that was closed.
    pub(super) fn forget_requests(&mut self, app: &str) {
        self.permissions
            .requests
            .retain(|request| &*request.context.app != app);
    }

    /// The initial variables of an app: its own, the settings and its permissions.
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
