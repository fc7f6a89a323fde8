//! Processes, time, and the machine: `ps`, `pidof`, `id`, `date`, `sleep`, `which`, `reboot`, `nc`.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::Call;
use crate::adb_phone::SYSTEM_PID;
use crate::packages;
use crate::shell::io::{Broken, Done};

/// Processes that every phone has: user, id, parent, name.
const ALWAYS: [(&str, u32, u32, &str); 6] = [
    ("root", 1, 0, "init"),
    ("logd", 301, 1, "logd"),
    ("root", 498, 1, "zygote64"),
    ("system", 612, 1, "surfaceflinger"),
    ("shell", 901, 1, "adbd"),
    ("system", SYSTEM_PID, 498, "system_server"),
];

pub(super) async fn run(call: Call<'_>) -> Done {
    match call.name() {
        "id" => {
            let text = if call.arg(1) == Some("-u") {
                "2000"
            } else if call.arg(1) == Some("-un") {
                "shell"
            } else {
                "uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input),1007(log),1011(adb),1015(sdcard_rw),\
                 1028(sdcard_r),3001(net_bt_admin),3002(net_bt),3003(inet),3006(net_bw_stats),3009(readproc),3011(uhid) \
                 context=u:r:shell:s0"
            };
            call.say(text).await?;
            Ok(0)
        }
        "whoami" => {
            call.say("shell").await?;
            Ok(0)
        }
        "pidof" => pidof(call).await,
        "ps" => ps(call).await,
        "date" => date(call).await,
        "sleep" => sleep(call).await,
        "which" => which(call).await,
        "reboot" => {
            if let Err(why) = call.handset().reboot().await {
                return call.fail(format!("reboot: {why}"), 1).await;
            }
            // The phone is gone before the program could say anything.
            Err(Broken)
        }
        "nc" => nc(call).await,
        // `svc` changes nothing that this phone has.
        _ => Ok(0),
    }
}

async fn pidof(call: Call<'_>) -> Done {
    let words = call.from(1).iter().filter(|word| !word.starts_with('-'));
    let wanted: Vec<&String> = words.collect();
    let mut found: Vec<String> = Vec::new();
    for (_, pid, _, name) in ALWAYS {
        if wanted.iter().any(|word| *word == name) {
            found.push(pid.to_string());
        }
    }
    for each in packages::all(call.handset(), call.driver().await.phone()) {
        if let Some(pid) = each.pid
            && wanted.contains(&&each.name)
        {
            found.push(pid.to_string());
        }
    }
    if found.is_empty() {
        return Ok(1);
    }
    call.say(found.join(" ")).await?;
    Ok(0)
}

async fn ps(call: Call<'_>) -> Done {
    let words = call.from(1);
    let has = |flag: &str| words.iter().any(|word| word == flag);
    let place = words.iter().position(|word| word == "-o" || word == "-Ao");
    let columns = place
        .and_then(|place| words.get(place + 1))
        .map_or("USER,PID,PPID,VSZ,RSS,WCHAN,ADDR,S,NAME", String::as_str);
    let columns: Vec<String> = columns.split(',').map(str::to_ascii_uppercase).collect();
    let mut rows: Vec<(String, u32, u32, String)> = Vec::new();
    if has("-A") || has("-e") || has("-ef") || has("-Ao") {
        for (user, pid, parent, name) in ALWAYS {
            rows.push((user.to_owned(), pid, parent, name.to_owned()));
        }
        for each in packages::all(call.handset(), call.driver().await.phone()) {
            if let Some(pid) = each.pid.filter(|pid| *pid != SYSTEM_PID) {
                let user = if each.uid == 1000 {
                    "system".to_owned()
                } else {
                    format!("u0_a{}", each.uid - 10_000)
                };
                rows.push((user, pid, 498, each.name));
            }
        }
        rows.sort_by_key(|row| row.1);
    }
    rows.push(("shell".to_owned(), 9871, 901, "sh".to_owned()));
    rows.push(("shell".to_owned(), 9872, 9871, "ps".to_owned()));
    let width = |column: &str| match column {
        "USER" => 12,
        "PID" | "PPID" => 7,
        "VSZ" | "RSS" => 9,
        "WCHAN" | "ADDR" => 6,
        _ => 1,
    };
    let line = |cells: Vec<String>| {
        let mut text = String::new();
        for (cell, column) in cells.iter().zip(&columns) {
            let last = columns.last() == Some(column);
            let name = column == "NAME" || column == "USER" || column == "ARGS" || column == "CMD";
            let width = width(column);
            match (name, last) {
                (true, true) => text.push_str(cell),
                (true, false) => text.push_str(&format!("{cell:<width$} ")),
                (false, true) => text.push_str(&format!("{cell:>width$}")),
                (false, false) => text.push_str(&format!("{cell:>width$} ")),
            }
        }
        text
    };
    call.say(line(columns.clone())).await?;
    for (user, pid, parent, name) in rows {
        let cell = |column: &String| match column.as_str() {
            "USER" => user.clone(),
            "PID" => pid.to_string(),
            "PPID" => parent.to_string(),
            "VSZ" | "RSS" | "WCHAN" | "ADDR" => "0".to_owned(),
            "S" => "S".to_owned(),
            "NAME" | "ARGS" | "CMD" | "CMDLINE" => name.clone(),
            _ => "-".to_owned(),
        };
        call.say(line(columns.iter().map(cell).collect())).await?;
    }
    Ok(0)
}

async fn date(call: Call<'_>) -> Done {
    let now = call.handset().clock().now();
    let pattern = call.from(1).iter().find_map(|word| word.strip_prefix('+'));
    if call
        .from(1)
        .iter()
        .any(|word| !word.starts_with(['+', '-']))
    {
        return call
            .fail("date: cannot set date: Operation not permitted", 1)
            .await;
    }
    call.say(now.format(pattern.unwrap_or("%a %b %e %H:%M:%S %Z %Y")))
        .await?;
    Ok(0)
}

async fn sleep(call: Call<'_>) -> Done {
    let mut total = Duration::ZERO;
    for word in call.from(1) {
        let (number, unit) = match word.strip_suffix(['s', 'm', 'h']) {
            Some(number) => (number, word.chars().last()),
            None => (word.as_str(), None),
        };
        let factor = match unit {
            Some('m') => 60.0,
            Some('h') => 3600.0,
            _ => 1.0,
        };
        let seconds = number.parse::<f64>().ok().map(|number| number * factor);
        let Some(time) = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        else {
            return call.fail(format!("sleep: bad duration '{word}'"), 1).await;
        };
        total += time;
    }
    if call.args.len() < 2 {
        return call
            .fail("sleep: Needs 1 argument (see \"sleep --help\")", 1)
            .await;
    }
    tokio::time::sleep(total).await;
    Ok(0)
}

async fn which(call: Call<'_>) -> Done {
    let mut status = 0;
    for word in call.from(1) {
        match super::place_of(word) {
            Some(place) => call.say(place).await?,
            None => status = 1,
        }
    }
    Ok(status)
}

/// `nc [-q SECONDS] HOST PORT`: a stream between the command and what listens on the phone. It ends when the other side
/// ends it, or so long after the end of its input.
async fn nc(call: Call<'_>) -> Done {
    let mut words = Vec::new();
    let mut quit = None;
    let mut given = call.from(1).iter();
    while let Some(word) = given.next() {
        match word.as_str() {
            "-q" => {
                quit = given
                    .next()
                    .and_then(|seconds| seconds.parse().ok())
                    .map(Duration::from_secs)
            }
            word if word.starts_with('-') => {}
            word => words.push(word),
        }
    }
    let [host, port] = words.as_slice() else {
        return call.fail("nc: bad host or port", 1).await;
    };
    let here = ["127.0.0.1", "localhost", "::1"].contains(host);
    let stream = if here {
        call.handset()
            .network()
            .connect(&format!("tcp:{port}"))
            .await
    } else {
        None
    };
    let Some(stream) = stream else {
        let why = if here {
            "Connection refused"
        } else {
            "Network is unreachable"
        };
        return call.fail(format!("nc: connect: {why}"), 1).await;
    };
    let (mut reader, mut writer) = tokio::io::split(stream);
    let sending = async {
        loop {
            let bytes = call.io.input.some().await;
            if bytes.is_empty() || writer.write_all(&bytes).await.is_err() {
                break;
            }
        }
        // The wire has no half of an end, so that the end of the input alone says nothing to the other side.
        match quit {
            Some(wait) => tokio::time::sleep(wait).await,
            None => std::future::pending().await,
        }
    };
    let taking = async {
        let mut buffer = vec![0; 16 * 1024];
        while let Ok(read @ 1..) = reader.read(&mut buffer).await {
            call.io
                .out
                .bytes(buffer.get(..read).unwrap_or_default())
                .await?;
        }
        Ok::<(), Broken>(())
    };
    tokio::select! {
        taken = taking => taken?,
        () = sending => {}
    }
    Ok(0)
}
