"""A client of the Model Context Protocol: calls each tool of the given server, and checks the answers."""

import asyncio
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

MODEL = "given n : int find x, y : int(1..n) such that x + y = n, x < y"

#: Each tool with its arguments, and the text that its answer must contain.
CALLS = [
    ("check", {"model": MODEL, "data": {"n": 5}}, "No mistakes"),
    ("solve", {"model": MODEL, "data": {"n": 5}, "solutions": 9}, "2 solutions"),
    ("why", {"model": MODEL, "data": {"n": 2}}, "cannot hold together"),
    ("why", {"model": MODEL, "data": {"n": 2}, "steps": True}, "steps show"),
    ("hint", {"model": "find x, y : int(1..3) such that x < y, y < 3", "all_steps": True}, "x = 1"),
    ("explore", {"model": MODEL, "data": {"n": 9}}, "There are 4 solutions."),
    ("compare", {"model": MODEL, "reference": MODEL.replace("<", "<=")}, "The reference allows this"),
    ("fix", {"model": "find x : int(1..3) such that x == 2"}, "x = 2"),
    ("test", {"model": MODEL, "cases": "$ case: two\n$ with: letting n be 5\n$ solutions: 2\n"}, "passed"),
    ("ask", {"model": MODEL, "mutants": True}, ""),
    ("evaluate", {"expression": "2 ** 10"}, "1024 : int"),
    ("manual", {"word": "E0201"}, "E0201"),
]


async def main(program: str) -> None:
    server = StdioServerParameters(command=program, args=["mcp"])
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        tools = {tool.name for tool in (await session.list_tools()).tools}
        assert tools == {name for name, _, _ in CALLS}, tools
        for name, arguments, says in CALLS:
            answer = await session.call_tool(name, arguments)
            text = answer.content[0].text
            is_error = getattr(answer, "isError", None) or getattr(answer, "is_error", None)
            assert not is_error and says in text, (name, text)
        wrong = await session.call_tool("solve", {"model": "find x"})
        assert getattr(wrong, "isError", None) or getattr(wrong, "is_error", None), wrong
    print(f"A client of the Model Context Protocol has asked {len(tools)} tools.")


asyncio.run(main(sys.argv[1]))
