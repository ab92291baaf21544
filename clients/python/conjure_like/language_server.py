"""What can be written at a place of a model: asks the language server of the program, `conjure-like lsp`."""

import json
import os
import re
import subprocess
import time
import weakref
from typing import Any, Dict, List, NamedTuple, Optional

from . import program
from .errors import ProgramNotFound

#: The seconds after which an answer is no longer waited for.
PATIENCE = 3.0

#: The model as the server knows it.
URI = "untitled:cell.essence"

#: The kind of a completion in the protocol that is a form with places to fill in.
SNIPPET = 15


class Completion(NamedTuple):
    """Something that can be written at a place."""

    text: str
    #: The column where the word begins that it replaces.
    start: int
    #: The type or the form, on one line.
    detail: str


class LanguageServer:
    """A language server, which is started when it is first asked. Without one there are no answers, and no errors."""

    def __init__(self) -> None:
        self._process: Optional["subprocess.Popen[bytes]"] = None
        self._requests = 0

    def completions(self, text: str, line: int, column: int) -> List[Completion]:
        """What can be written in a line of a model, counted from 0, at a column."""
        written = text.split("\n")[line]
        try:
            if self._process is None:
                self._start()
            document = {"uri": URI, "version": self._requests}
            self._notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
            position = {"line": line, "character": len(written[:column].encode())}
            found = self._request("textDocument/completion", {"textDocument": {"uri": URI}, "position": position})
        except (OSError, EOFError, ValueError, ProgramNotFound):
            self.close()
            return []
        return [_completion(item, written) for item in (found or {}).get("items", [])]

    def close(self) -> None:
        """Ends the server."""
        process, self._process = self._process, None
        if process is not None:
            program.end_process(process)

    def _start(self) -> None:
        self._process = program.start(["lsp"], stderr=subprocess.DEVNULL)
        weakref.finalize(self, program.end_process, self._process)
        capabilities = {"general": {"positionEncodings": ["utf-8"]}}
        self._request("initialize", {"processId": os.getpid(), "rootUri": None, "capabilities": capabilities})
        self._notify("initialized", {})
        document = {"uri": URI, "languageId": "essence", "version": 0, "text": ""}
        self._notify("textDocument/didOpen", {"textDocument": document})

    def _request(self, method: str, params: Any) -> Any:
        self._requests += 1
        self._send({"id": self._requests, "method": method, "params": params})
        deadline = time.monotonic() + PATIENCE
        while True:
            message = self._receive(deadline)
            if message.get("id") == self._requests:
                return message.get("result")

    def _notify(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: Dict[str, Any]) -> None:
        assert self._process and self._process.stdin
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(text), text))
        self._process.stdin.flush()

    def _receive(self, deadline: float) -> Dict[str, Any]:
        header = b""
        while not header.endswith(b"\r\n\r\n"):
            header += self._read(1, deadline)
        length = int(header.split(b":")[1])
        text = b""
        while len(text) < length:
            text += self._read(length - len(text), deadline)
        message: Dict[str, Any] = json.loads(text)
        return message

    def _read(self, most: int, deadline: float) -> bytes:
        """Some bytes of the server's output; fails when it ends, or at the deadline."""
        assert self._process and self._process.stdout
        output = self._process.stdout.fileno()
        if not program.is_ready(output, max(0.0, deadline - time.monotonic())):
            raise TimeoutError("the language server does not answer")
        read = os.read(output, most)
        if not read:
            raise EOFError("the language server has ended")
        return read


def _completion(item: Dict[str, Any], line: str) -> Completion:
    edit = item["textEdit"]
    start = len(line.encode()[: edit["range"]["start"]["character"]].decode())
    text = _without_places(edit["newText"]) if item["kind"] == SNIPPET else item["label"]
    return Completion(text, start, item.get("detail", ""))


def _without_places(snippet: str) -> str:
    r"""A form as a text in which the places are filled in.

    >>> _without_places(r"letting ${1:E} be new type enum {${2:a, b}\}")
    'letting E be new type enum {a, b}'
    """
    filled = re.sub(r"\$\{\d+:([^}]*)\}|\$\d+", lambda place: place[1] or "", snippet)
    return re.sub(r"\\(.)", r"\1", filled)
