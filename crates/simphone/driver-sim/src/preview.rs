//! Previews of app files: the screens of an app, and a phone that shows one of them.

use std::sync::Arc;
use std::time::Duration;

use crate::driver::SimOptions;
use crate::phone::{Context, Phone};
use sim_format::app::App;
use sim_format::catalog::{self, BUILT_IN, BuiltIn};
use sim_format::effects::{Call, Effect, Effects};
use sim_format::expr::{Scope, Value};
use sim_format::words::nearest;
use sim_format::{AppError, Start};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltInApp {
    pub package: &'static str,
    pub label: &'static str,
    pub purpose: String,
    /// The URI patterns that it opens, such as `shop://item/{id}`, in the order of its file.
    pub links: Vec<String>,
}

pub fn built_in_apps() -> impl Iterator<Item = BuiltInApp> {
    BUILT_IN.iter().map(|of| BuiltInApp {
        package: of.package,
        label: of.label,
        purpose: of.file.purpose(),
        links: links(of),
    })
}

/// Whether a built-in app has this package; an app of the user with the same package replaces it.
pub fn is_built_in(package: &str) -> bool {
    BUILT_IN.iter().any(|of| of.package == package)
}

/// The URI patterns of an app, as written in its file.
fn links(of: &BuiltIn) -> Vec<String> {
    let links = of
        .app()
        .map(|app| app.links.iter().map(ToString::to_string).collect());
    links.unwrap_or_default()
}

#[derive(Debug)]
pub struct Preview {
    options: SimOptions,
    app: Arc<App>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PreviewError(String);

impl Preview {
    /// Loads the one app that `options` install besides the built-in ones; `start` is ignored.
    pub fn load(options: SimOptions) -> Result<Self, AppError> {
        let installed = catalog::install(&options.apps)?;
        let Some(own) = catalog::only_own(&installed) else {
            let message = "a preview needs exactly one app besides the built-in ones";
            return Err(AppError::whole("options", message.to_owned()));
        };
        Ok(Self {
            app: own.app()?,
            options,
        })
    }

    pub fn start(&self) -> &str {
        &self.app.start
    }

    pub fn screens(&self) -> Vec<String> {
        self.app.screens.keys().map(ToString::to_string).collect()
    }

    pub fn dialogs(&self) -> Vec<String> {
        self.app.dialogs.keys().map(ToString::to_string).collect()
    }

    /// Returns a phone that shows `screen` (by default the start screen), with `dialog` above it, `after` this time.
    ///
    /// `with` sets parameters of the screen and variables of the app. A parameter that is not given shows its own name.
    /// Numbers, `true` and `false` are read as such.
    pub fn show(
        &self,
        screen: Option<&str>,
        dialog: Option<&str>,
        with: &[(String, String)],
        after: Duration,
    ) -> Result<Phone, PreviewError> {
        let app = &self.app;
        let screen = screen.unwrap_or(&app.start);
        let check = |noun: &str, name: &str, known: Vec<&str>| {
            if known.contains(&name) {
                return Ok(());
            }
            let hint = nearest(name, known.iter().copied());
            let all = match known.is_empty() {
                true => String::new(),
                false => format!(" (there are {})", known.join(", ")),
            };
            Err(PreviewError(format!(
                "{} has no {noun} `{name}`{hint}{all}",
                app.package
            )))
        };
        let screens = app.screens.keys().map(|key| &**key);
        check("screen", screen, screens.collect())?;
        if let Some(dialog) = dialog {
            let dialogs = app.dialogs.keys().map(|key| &**key);
            check("dialog", dialog, dialogs.collect())?;
        }
        let params = app.params.get(screen).cloned().unwrap_or_default();
        let asked = dialog.and_then(|dialog| app.dialog_params.get(dialog));
        let asked = asked.cloned().unwrap_or_default();
        for (name, _) in with {
            let variables = app.state.iter().map(|(name, _)| &**name);
            let names = params.iter().chain(&asked).map(|name| &**name);
            let names = names.chain(variables);
            check("parameter or variable", name, names.collect())?;
        }
        let mut phone = Phone::start(&SimOptions {
            start: Start::Own,
            ..self.options.clone()
        })
        .map_err(|error| PreviewError(error.to_string()))?;
        phone.show(
            app,
            (screen, &params),
            dialog.map(|dialog| (dialog, &*asked)),
            with,
        );
        let until = phone.now().saturating_add(after);
        phone.advance_to(until);
        Ok(phone)
    }
}

impl Phone {
    fn show(
        &mut self,
        app: &Arc<App>,
        (screen, params): (&str, &[Arc<str>]),
        dialog: Option<(&str, &[Arc<str>])>,
        with: &[(String, String)],
    ) {
        let package = &app.package;
        let asked = dialog.map_or(&[][..], |(_, asked)| asked);
        for (name, text) in with {
            if !params.iter().chain(asked).any(|param| **param == **name) {
                self.set(package, &Arc::from(name.as_str()), value(text));
            }
        }
        if screen != &*app.start || !params.is_empty() {
            self.push_screen(package, screen, scope(params, with));
        }
        if let Some((dialog, asked)) = dialog {
            let context = Context {
                app: Arc::clone(package),
                scope: scope(asked, with),
            };
            let call = Call {
                screen: Arc::from(dialog),
                with: Vec::new(),
            };
            let open: Effects = Arc::from(vec![Effect::Dialog(call)]);
            self.run(&context, &open);
        }
        self.settle();
    }
}

/// The values of the parameters: the given ones, and for the others their names.
fn scope(params: &[Arc<str>], with: &[(String, String)]) -> Arc<Scope> {
    let values = params.iter().map(|param| {
        let given = with.iter().find(|(name, _)| **name == **param);
        let own = || Value::Text(Arc::clone(param));
        (
            Arc::clone(param),
            given.map_or_else(own, |(_, text)| value(text)),
        )
    });
    Scope::of(Arc::new(values.collect()))
}

fn value(text: &str) -> Value {
    let number = text.parse::<f64>().ok();
    match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        // A number that is not in its shortest form stays a text: 1.10 is a version.
        _ => number
            .map(Value::Number)
            .filter(|number| &*number.to_text() == text)
            .unwrap_or_else(|| Value::text(text)),
    }
}
