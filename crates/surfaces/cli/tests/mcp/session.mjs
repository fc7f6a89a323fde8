// One session of an official TypeScript client with clawperator, written down as JSON, a line for each thing that happened.
//   node session.mjs sdk|client stdio PROGRAM [ARGUMENTS…]
//   node session.mjs sdk|client http URL
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [kind, way, ...where] = process.argv.slice(2);
const require = createRequire(process.env.CLIENTS + "/package.json");
const load = (name) => import(pathToFileURL(require.resolve(name)).href);

const { Client, StdioClientTransport, StreamableHTTPClientTransport } =
  kind === "sdk"
    ? {
        ...(await load("@modelcontextprotocol/sdk/client/index.js")),
        ...(await load("@modelcontextprotocol/sdk/client/stdio.js")),
        ...(await load("@modelcontextprotocol/sdk/client/streamableHttp.js")),
      }
    : { ...(await load("@modelcontextprotocol/client")), ...(await load("@modelcontextprotocol/client/stdio")) };

const transport =
  way === "stdio"
    ? new StdioClientTransport({ command: where[0], args: where.slice(1), env: { ...process.env } })
    : new StreamableHTTPClientTransport(new URL(where[0]));
const client = new Client({ name: "session", version: "1" });
const tell = (what, said) => console.log(JSON.stringify({ what, said }));

await client.connect(transport);
tell("server", client.getServerVersion());
tell("tools", (await client.listTools()).tools.map((tool) => tool.name));
tell("resources", (await client.listResources()).resources.map((resource) => resource.uri));
const page = await client.readResource({ uri: "clawperator://actions/click" });
tell("page", page.contents[0].text.split("\n")[0]);
const ask = (name, args, options) =>
  kind === "sdk"
    ? client.callTool({ name, arguments: args }, undefined, options)
    : client.callTool({ name, arguments: args }, options);
const call = async (name, args, options) => {
  const result = await ask(name, args, options);
  const content = result.content.map((part) =>
    part.type === "image" ? { image: part.mimeType, bytes: part.data.length > 1000 } : part.text);
  tell(name, { error: result.isError ?? false, content, body: result.structuredContent });
};
await call("devices", {});
const steps = [];
const settings = {
  device: "sim",
  actions: [{ type: "open_app", applicationId: "com.android.settings" }, { type: "read_text", matcher: { textEquals: "Settings" } }],
  snapshot: true,
};
const onprogress = (step) => steps.push(`${step.progress}/${step.total} ${step.message}`);
await call("act", settings, { onprogress });
// What comes in one piece with the answer, a client drops: it is asked again then.
for (let again = 0; again < 50 && !steps.length; again += 1) await ask("act", settings, { onprogress });
tell("progress", steps[0]);
await call("snapshot", { device: "sim" });
await call("inspect_element", { device: "sim", description: "network settings", limit: 1 });
await call("screenshot", { device: "sim" });
await call("act", { device: "sim", actions: [{ type: "click", matcher: { textEquals: "Nothing of the kind" }, retry: { maxAttempts: 1 } }] });
await call("act", { device: "sim", actions: [{ type: "fly" }] });
await call("snapshot", { devise: "sim" });
await call("snapshot", { device: "no-such-phone" });
await client.close();
