// Requests to the server, its token, and its event stream.
import { $ } from "./dom.js";

const STORAGE_KEY = "clawperator.token";

/** A failed request. */
class RequestError extends Error {
  constructor(status, error) {
    super(error.message);
    Object.assign(this, { status, code: error.code, hint: error.hint, details: error.details || {} });
  }
}

const unreachable = () => new RequestError(0, {
  code: "SERVER_GONE",
  message: "The server does not answer.",
  hint: "Restart it with `clawperator serve`; this page reconnects automatically.",
});

let prompt;
/** Prompts for the token; concurrent requests share one prompt. */
function promptForToken(invalid) {
  prompt ??= new Promise((resolve) => {
    $("token-wrong").hidden = !invalid;
    $("token-value").value = "";
    $("token").addEventListener("close", () => {
      const entered = $("token-value").value.trim();
      if (entered) sessionStorage.setItem(STORAGE_KEY, entered);
      $("token-value").value = "";
      prompt = undefined;
      resolve();
    }, { once: true });
    $("token").showModal();
  });
  return prompt;
}

async function send(path, options) {
  for (;;) {
    const token = sessionStorage.getItem(STORAGE_KEY);
    const headers = { ...options.headers };
    if (token) headers.authorization = `Bearer ${token}`;
    let response;
    try {
      response = await fetch(path, { ...options, headers, cache: "no-store" });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw unreachable();
    }
    if (response.status !== 401) return response;
    if (sessionStorage.getItem(STORAGE_KEY) === token) sessionStorage.removeItem(STORAGE_KEY);
    await promptForToken(Boolean(token));
  }
}

async function errorOf(response) {
  let body;
  try {
    body = await response.json();
  } catch {
    body = {};
  }
  const error = body.error || body;
  return new RequestError(response.status, { ...error, code: error.code || `HTTP ${response.status}`, message: error.message || "The server returned no error message." });
}

/** Requests JSON; a body makes it a POST. `key` is an idempotency key. */
export async function request(path, body, key) {
  const headers = { "content-type": "application/json", ...(key ? { "idempotency-key": key } : {}) };
  const options = body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) };
  const response = await send(path, options);
  if (!response.ok) throw await errorOf(response);
  return response.json();
}

/** A screenshot, as PNG. */
export async function screenshot(deviceId) {
  const response = await send("/screenshot?wait=10000", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "image/png" },
    body: JSON.stringify({ deviceId }),
  });
  if (!response.ok) throw await errorOf(response);
  return response.blob();
}

const sleep = (millis) => new Promise((resolve) => setTimeout(resolve, millis));

/** Reads the event stream; reconnects and resumes after errors. */
export async function followEvents(onEvent, onConnection) {
  let lastId = "";
  for (let wait = 500; ; wait = Math.min(wait * 2, 8000)) {
    try {
      const headers = lastId ? { "last-event-id": lastId } : {};
      const response = await send("/events", { headers });
      if (!response.ok) throw await errorOf(response);
      onConnection("connected");
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
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
          if (fields.id) lastId = fields.id;
          let data;
          try {
            data = JSON.parse(fields.data);
          } catch {
            continue;
          }
          onEvent(fields.event.replace("clawperator:", ""), data);
        }
      }
    } catch (error) {
      if (error.status && error.status !== 503) lastId = "";
    }
    onConnection("gone");
    await sleep(wait);
  }
}
