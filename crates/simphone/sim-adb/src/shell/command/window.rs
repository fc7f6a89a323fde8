//! `wm`: size and density of the screen.

use super::Call;
use crate::shell::io::CommandResult;

pub(super) async fn run(call: Call<'_>) -> CommandResult {
    match call.arg(1) {
        Some("size") => size(call).await,
        Some("density") => density(call).await,
        // The phone has no lock screen.
        Some("dismiss-keyguard") => Ok(0),
        other => call.unknown_command(other.unwrap_or_default()).await,
    }
}

async fn size(call: Call<'_>) -> CommandResult {
    let physical = call.adb_phone().options().sim.screen;
    let now = call.driver().await.phone().upright_screen();
    call.print_line(format!(
        "Physical size: {}x{}",
        physical.width, physical.height
    ))
    .await?;
    if now != physical {
        call.print_line(format!("Override size: {}x{}", now.width, now.height))
            .await?;
    }
    Ok(0)
}

async fn density(call: Call<'_>) -> CommandResult {
    let dots = |density: f32| (density * 160.0).round() as u32;
    let physical = dots(call.adb_phone().options().sim.density);
    let now = dots(call.driver().await.phone().density());
    call.print_line(format!("Physical density: {physical}"))
        .await?;
    if now != physical {
        call.print_line(format!("Override density: {now}")).await?;
    }
    Ok(0)
}
