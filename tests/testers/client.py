"""client.py URL | PROGRAM ARGUMENT...    MODE = auto | legacy

Lists tools and resources, writes the list in LIST, sends one that is wrong, and prints what came as one JSON object.
"""
import asyncio
import json
import os
import sys

from mcp import Client, StdioServerParameters

target = sys.argv[1] if sys.argv[1].startswith("http") else StdioServerParameters(
    command=sys.argv[1], args=sys.argv[2:], env=dict(os.environ))


def told(result):
    return {"text": [block.text for block in result.content], "isError": bool(result.is_error)}


async def main():
    async with Client(target, mode=os.environ["MODE"]) as client:
        tools = (await client.list_tools()).tools
        written = await client.call_tool("todo_write", {"todos": json.loads(os.environ["LIST"])})
        wrong = await client.call_tool("todo_write", {"todos": [{"content": "a", "status": "doing"}]})
        resources = (await client.list_resources()).resources
        lists = [str(resource.uri) for resource in resources if str(resource.uri).endswith("/todos")]
        read = await client.read_resource(lists[0]) if lists else None
        print(json.dumps({
            "protocol": client.protocol_version,
            "tools": [tool.name for tool in tools],
            "written": told(written),
            "wrong": told(wrong),
            "resources": [str(resource.uri) for resource in resources],
            "read": json.loads(read.contents[0].text) if read else None,
        }))


asyncio.run(main())
