// The server: requests, the token where it wants one, and its events.
import { $ } from "./dom.js";

const KEPT = "clawperator.token";

/** A request that came to nothing. */
export class Refusal extends Error {
  constructor(status, error) {
    super(error.message);
    Object.assign(this, { status, code: error.code, hint: error.hint, details: error.details || {} });
  }
}

const gone = () => new Refusal(0, {
  code: "SERVER_GONE",
  message: "The server does not answer.",
  hint: "Start it again with `clawperator serve`; this page goes on by itself.",
});

let asking;
/** Asks for the token once, however many requests want it. */
function token(wrong) {
  asking ??= new Promise((resolve) => {
    $("token-wrong").hidden = !wrong;
    $("token-value").value = "";
    $("token").addEventListener("close", () => {
      const given = $("token-value").value.trim();
      if (given) sessionStorage.setItem(KEPT, given);
      $("token-value").value = "";
      asking = undefined;
      resolve();
    }, { once: true });
    $("token").showModal();
  });
  return asking;
}

async function request(path, options) {
  for (;;) {
    const given = sessionStorage.getItem(KEPT);
    const headers = { ...options.headers };
    if (given) headers.authorization = `Bearer ${given}`;
    let answer;
    try {
      answer = await fetch(path, { ...options, headers, cache: "no-store" });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw gone();
    }
    if (answer.status !== 401) return answer;
    if (sessionStorage.getItem(KEPT) === given) sessionStorage.removeItem(KEPT);
    await token(Boolean(given));
  }
}

async function refused(answer) {
  let body;
  try {
    body = await answer.json();
  } catch {
    body = {};
  }
  const error = body.error || body;
  return new Refusal(answer.status, { ...error, code: error.code || `HTTP ${answer.status}`, message: error.message || "The server says no more." });
}

/** Asks for JSON; a body makes it a POST. With a key it is done once, however often the browser sends it. */
export async function ask(path, body, key) {
  const headers = { "content-type": "application/json", ...(key ? { "idempotency-key": key } : {}) };
  const options = body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) };
  const answer = await request(path, options);
  if (!answer.ok) throw await refused(answer);
  return answer.json();
}

/** The screen as a picture. */
export async function picture(deviceId) {
  const answer = await request("/screenshot?wait=10000", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "image/png" },
    body: JSON.stringify({ deviceId }),
  });
  if (!answer.ok) throw await refused(answer);
  return answer.blob();
}

const pause = (millis) => new Promise((resolve) => setTimeout(resolve, millis));

/** Follows what happens for as long as the page is there; takes up where it broke off. */
export async function follow(told, state) {
  let last = "";
  for (let wait = 500; ; wait = Math.min(wait * 2, 8000)) {
    try {
      const headers = last ? { "last-event-id": last } : {};
      const answer = await request("/events", { headers });
      if (!answer.ok) throw await refused(answer);
      state("connected");
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        wait = 500;
        text += value;
        const parts = text.split("\n\n");
        text = parts.pop();
        for (const part of parts) {
          const fields = { event: "message", data: "" };
          for (const line of part.split("\n")) {
            const at = line.indexOf(": ");
            if (at > 0) fields[line.slice(0, at)] = line.slice(at + 2);
          }
          if (fields.id) last = fields.id;
          let data;
          try {
            data = JSON.parse(fields.data);
          } catch {
            continue;
          }
          told(fields.event.replace("clawperator:", ""), data);
        }
      }
    } catch (error) {
      if (error.status && error.status !== 503) last = "";
    }
    state("gone");
    await pause(wait);
  }
}
