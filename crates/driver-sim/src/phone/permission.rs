//! Permissions: what apps may do, and how they ask for it.

use std::sync::Arc;

use crate::app::{App, Effects, GRANTED, PermissionRequest, Value, Vars};
use crate::journal::Happening;
use crate::words::Words;

use super::{CONFIG_NAMES, Context, Permission, Phone, SystemWindow};

/// A request that waits for its answer.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    context: Context,
    permission: Permission,
    granted: Effects,
    denied: Effects,
}

impl Phone {
    /// Asks the user for a permission with the system's prompt, unless the app has it. What follows happens with the
    /// answer, at once if there is nothing to ask.
    pub(super) fn request_permission(&mut self, context: &Context, asked: &PermissionRequest) {
        if self.has_permission(&context.app, asked.permission) {
            self.run(context, &asked.granted);
            return;
        }
        self.note(Happening::PermissionAsked {
            app: Arc::clone(&context.app),
            permission: asked.permission,
        });
        self.requests.push(Request {
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

    /// The user has answered a prompt, whoever asked for it.
    pub(super) fn permission_answered(
        &mut self,
        app: &Arc<str>,
        permission: Permission,
        granted: bool,
    ) {
        self.permissions
            .insert((Arc::clone(app), permission), granted);
        if let Some(task) = self.task_mut(app) {
            let name = format!("{GRANTED}{}", permission.word());
            task.vars.define(&name, Value::Bool(granted));
        }
        self.bump();
        let place = self
            .requests
            .iter()
            .position(|request| request.context.app == *app && request.permission == permission);
        if let Some(place) = place {
            let request = self.requests.remove(place);
            let effects = if granted {
                &request.granted
            } else {
                &request.denied
            };
            self.run(&request.context, effects);
        }
    }

    /// Whether an app has a permission.
    pub(crate) fn has_permission(&self, app: &str, permission: Permission) -> bool {
        self.permissions
            .iter()
            .any(|((owner, name), granted)| &**owner == app && *name == permission && *granted)
    }

    /// Forgets the questions of an app that was closed.
    pub(super) fn forget_requests(&mut self, app: &str) {
        self.requests.retain(|request| &*request.context.app != app);
    }

    /// The variables that an app starts with: its own, the language and what it may do.
    pub(super) fn first_vars(&self, app: &App) -> Vars {
        let mut vars = Vars::of(app);
        vars.provide(CONFIG_NAMES.into_iter().zip(self.config.values()));
        for ((owner, permission), granted) in &self.permissions {
            if *owner == app.package {
                vars.define(
                    &format!("{GRANTED}{}", permission.word()),
                    Value::Bool(*granted),
                );
            }
        }
        vars
    }
}
