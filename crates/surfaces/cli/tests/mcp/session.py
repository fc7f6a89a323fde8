"""One session of the official Python client with clawperator, written down as JSON, a line for each thing that happened.

    python3 session.py stdio PROGRAM [ARGUMENTS…]
    python3 session.py http URL
"""

import asyncio
import json
import os
import sys

from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client


def tell(what, said):
    print(json.dumps({"what": what, "said": said}, ensure_ascii=False), flush=True)


def part(content):
    if content.type == "image":
        return {"image": content.mime_type, "bytes": len(content.data) > 1000}
    return content.text


async def main(way, *where):
    if way == "stdio":
        server = stdio_client(StdioServerParameters(command=where[0], args=list(where[1:]), env=dict(os.environ)))
    else:
        server = where[0]
    async with Client(server) as client:
        info = client.server_info
        tell("server", {key: getattr(info, key) for key in ("name", "version", "title")})
        tell("tools", [tool.name for tool in (await client.list_tools()).tools])
        tell("resources", [str(resource.uri) for resource in (await client.list_resources()).resources])
        page = await client.read_resource("clawperator://actions/click")
        tell("page", page.contents[0].text.split("\n")[0])

        async def call(name, arguments, progress=None):
            result = await client.call_tool(name, arguments, progress_callback=progress)
            content = [part(content) for content in result.content]
            tell(name, {"error": bool(result.is_error), "content": content, "body": result.structured_content})

        await call("devices", {})
        steps = []

        async def progress(done, of, message):
            steps.append(f"{done:g}/{of:g} {message}")

        settings = [
            {"type": "open_app", "applicationId": "com.android.settings"},
            {"type": "read_text", "matcher": {"textEquals": "Settings"}},
        ]
        act = {"device": "sim", "actions": settings, "snapshot": True}
        await call("act", act, progress)
        # What comes in one piece with the answer, a client may drop: it is asked again then.
        for _ in range(50):
            if steps:
                break
            await client.call_tool("act", act, progress_callback=progress)
        tell("progress", steps[0] if steps else None)
        await call("snapshot", {"device": "sim"})
        await call("inspect_element", {"device": "sim", "description": "network settings", "limit": 1})
        await call("screenshot", {"device": "sim"})
        missing = {"type": "click", "matcher": {"textEquals": "Nothing of the kind"}, "retry": {"maxAttempts": 1}}
        await call("act", {"device": "sim", "actions": [missing]})
        await call("act", {"device": "sim", "actions": [{"type": "fly"}]})
        await call("snapshot", {"devise": "sim"})
        await call("snapshot", {"device": "no-such-phone"})


asyncio.run(main(*sys.argv[1:]))
