//! `wm`, `cmd window`, `cmd statusbar`, `cmd uimode`: the screen as a whole.

use driver_sim::ThemeChoice;
use uitree::Size;

use super::Call;
use crate::shell::io::Done;
use crate::system;

pub(super) async fn run(call: Call<'_>) -> Done {
    match call.arg(1) {
        Some("size") => size(call).await,
        Some("density") => density(call).await,
        Some("user-rotation" | "set-user-rotation") => rotation(call).await,
        Some("dismiss-keyguard" | "set-ignore-orientation-request" | "fixed-to-user-rotation") => {
            Ok(0)
        }
        None | Some("help" | "-h") => {
            call.say("Window manager (window) commands:\n  size [reset|WxH|WdpxHdp] [-d DISPLAY_ID]\n  density [reset|DENSITY] \
                      [-d DISPLAY_ID]\n  user-rotation [-d DISPLAY_ID] [free|lock] [rotation]").await?;
            Ok(255)
        }
        Some(other) => {
            call.io
                .out
                .bytes(format!("Unknown command: {other}\n"))
                .await?;
            Ok(255)
        }
    }
}

async fn size(call: Call<'_>) -> Done {
    let physical = call.handset().options().sim.screen;
    let mut driver = call.driver().await;
    let phone = driver.phone_mut();
    let now = phone.upright_screen();
    let density = phone.density();
    let Some(asked) = call.arg(2).filter(|word| *word != "-d") else {
        drop(driver);
        call.say(format!(
            "Physical size: {}x{}",
            physical.width, physical.height
        ))
        .await?;
        if now != physical {
            call.say(format!("Override size: {}x{}", now.width, now.height))
                .await?;
        }
        return Ok(0);
    };
    let wanted = if asked == "reset" {
        Some(physical)
    } else {
        let part = |text: &str| match text.strip_suffix("dp") {
            Some(number) => number
                .parse::<f32>()
                .ok()
                .map(|number| (number * density) as i32),
            None => text.parse().ok(),
        };
        asked
            .split_once('x')
            .and_then(|(w, h)| Some(Size::new(part(w)?, part(h)?)))
    };
    let done = match wanted {
        Some(size) => phone
            .resize(size, density)
            .map_err(|error| error.to_string()),
        None => Err(format!("Error: bad size {asked}")),
    };
    drop(driver);
    match done {
        Ok(()) => Ok(0),
        Err(why) => call.fail(why, 255).await,
    }
}

async fn density(call: Call<'_>) -> Done {
    let physical = (call.handset().options().sim.density * 160.0).round() as u32;
    let mut driver = call.driver().await;
    let phone = driver.phone_mut();
    let now = (phone.density() * 160.0).round() as u32;
    let screen = phone.upright_screen();
    let Some(asked) = call.arg(2).filter(|word| *word != "-d") else {
        drop(driver);
        call.say(format!("Physical density: {physical}")).await?;
        if now != physical {
            call.say(format!("Override density: {now}")).await?;
        }
        return Ok(0);
    };
    let wanted = if asked == "reset" {
        Some(physical)
    } else {
        asked.parse::<u32>().ok()
    };
    let done = match wanted {
        Some(density) if density < 72 => Err("Error: density must be >= 72".to_owned()),
        Some(density) => phone
            .resize(screen, density as f32 / 160.0)
            .map_err(|error| error.to_string()),
        None => Err(format!(
            "Error: bad number java.lang.NumberFormatException: For input string: \"{asked}\""
        )),
    };
    drop(driver);
    match done {
        Ok(()) => Ok(0),
        Err(why) => call.fail(why, 255).await,
    }
}

async fn rotation(call: Call<'_>) -> Done {
    let setting = |key: &str| call.handset().setting("system", key).unwrap_or_default();
    let put = |key: &str, value: &str| {
        let place = ("system".to_owned(), key.to_owned());
        call.handset()
            .state()
            .settings
            .insert(place, value.to_owned());
    };
    match call.arg(2) {
        None => {
            if setting("accelerometer_rotation") == "1" {
                call.say("free").await?;
            } else {
                call.say(format!("lock {}", setting("user_rotation")))
                    .await?;
            }
            Ok(0)
        }
        Some("free") => {
            put("accelerometer_rotation", "1");
            Ok(0)
        }
        Some("lock") => {
            let turns = call
                .arg(3)
                .map_or_else(|| setting("user_rotation"), str::to_owned);
            let Some(held) = turns.parse().ok().and_then(system::held) else {
                return call
                    .fail(format!("Error: rotation {turns} is invalid."), 255)
                    .await;
            };
            call.driver().await.phone_mut().rotate(held);
            put("accelerometer_rotation", "0");
            put("user_rotation", &turns);
            Ok(0)
        }
        Some(other) => {
            call.fail(
                format!("Error: argument needs to be either -d, free or lock, not {other}."),
                255,
            )
            .await
        }
    }
}

pub(super) async fn statusbar(call: Call<'_>) -> Done {
    let mut driver = call.driver().await;
    match call.arg(1) {
        Some("expand-notifications" | "expand-settings") => driver.phone_mut().open_shade(),
        Some("collapse") => driver.phone_mut().close_shade(),
        other => {
            drop(driver);
            call.io
                .out
                .bytes(format!("Unknown command: {}\n", other.unwrap_or("null")))
                .await?;
            return Ok(255);
        }
    }
    Ok(0)
}

pub(super) async fn uimode(call: Call<'_>) -> Done {
    if call.arg(1) != Some("night") {
        call.io
            .out
            .bytes("UiModeManager service (uimode) commands:\n  night [yes|no|auto]\n")
            .await?;
        return Ok(255);
    }
    let mut driver = call.driver().await;
    let phone = driver.phone_mut();
    match call.arg(2) {
        Some("yes") => phone.set_theme(ThemeChoice::Dark),
        Some("no" | "auto") => phone.set_theme(ThemeChoice::Light),
        _ => {}
    }
    let word = if phone.theme() == ThemeChoice::Dark {
        "yes"
    } else {
        "no"
    };
    drop(driver);
    call.say(format!("Night mode: {word}")).await?;
    Ok(0)
}
