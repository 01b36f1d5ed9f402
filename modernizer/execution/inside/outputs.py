"""Cap what one cell may send, inside the kernel: a flood is dropped where it rises instead of filling pipes and memory."""

from __future__ import annotations

import contextlib
import importlib
import os
import select
import sys
import time
from typing import Any

_MESSAGE_BYTES = 512  # what a message costs besides its text
_CHUNK = 1 << 20
_CELLS = 64
_DRAIN_ROUNDS = 50
_DRAIN_SECONDS = 0.005
_SETTLE_SECONDS = 0.02
_YIELD_SECONDS = 0.002
_ERROR_CHARACTERS = 200_000
_DATA = {"display_data", "execute_result", "update_display_data"}


def drop_nothing(app: Any) -> None:
    """Let sockets that an application is about to bind queue all messages.

    Otherwise the publisher silently drops some, the end of a cell among them, when the reader is slower. Connections take the
    option from the socket as it was when it was bound.
    """
    zmq = importlib.import_module("zmq")
    bind = app._bind_socket  # noqa: SLF001 - ipykernel has no setting for it

    def bind_socket(socket: Any, port: int) -> Any:
        socket.setsockopt(zmq.SNDHWM, 0)
        return bind(socket, port)

    app._bind_socket = bind_socket  # noqa: SLF001 - as above


def limit_outputs(app: Any, limit: int) -> None:
    """Wrap the kernel's message sender so that a cell's outputs stay below ``limit`` bytes."""
    _silence_echo()
    session = app.session
    send = session.send
    sent: dict[str, int] = {}

    def send_capped(stream: Any, msg_or_type: Any, content: Any = None, parent: Any = None, *args: Any, **kwargs: Any) -> Any:
        whole = isinstance(msg_or_type, dict)
        kind = msg_or_type["header"]["msg_type"] if whole else msg_or_type
        body = msg_or_type.get("content") if whole else content
        if kind in {"error", "execute_reply"} and isinstance(body, dict):
            _shorten(body)
        elif kind == "stream" or kind in _DATA:
            header = msg_or_type.get("parent_header") if whole else (parent or {}).get("header", parent)
            key = str((header or {}).get("msg_id", ""))
            if key not in sent and len(sent) >= _CELLS:
                del sent[next(iter(sent))]
            used = sent.get(key, 0)
            size = _size(body, session.pack)
            sent[key] = used + size
            if used + size > limit:
                if used > limit:
                    return msg_or_type
                # One message more than the limit tells the runner that something was dropped.
                sent[key] = used + size + limit
                kind, body = "stream", {"name": "stdout", "text": "", "dropped": True}
                return send(stream, kind, body, header, *args, **{**kwargs, "ident": b"stream.stdout"})
            if kind == "stream" and len(body["text"]) > _CHUNK:
                for start in range(0, len(body["text"]), _CHUNK):
                    part = {**body, "text": body["text"][start : start + _CHUNK]}
                    send(stream, "stream", part, header, *args, **kwargs)
                return msg_or_type
        return send(stream, msg_or_type, content, parent, *args, **kwargs)

    session.send = send_capped


def wait_for_raw_output(shell: Any) -> None:
    """Keep a cell open until what libraries and children wrote to the descriptors themselves was read: it belongs to it."""

    def drain() -> None:
        pipes = [pipe for pipe in (getattr(stream, "_fid", None) for stream in (sys.stdout, sys.stderr)) if pipe]
        waited = False
        for _ in range(_DRAIN_ROUNDS if pipes else 0):
            if not select.select(pipes, [], [], 0)[0]:
                break
            waited = True
            time.sleep(_DRAIN_SECONDS)
        if pipes:
            # What the reader has taken from the pipe is not in its buffer yet; it needs the interpreter for that.
            time.sleep(_SETTLE_SECONDS if waited else _YIELD_SECONDS)

    shell.events.register("post_execute", drain)


def use_private_pipe(path: str) -> None:
    """Let forked children send their output through a socket file instead of a TCP port of the machine."""
    iostream = importlib.import_module("ipykernel.iostream")
    zmq = iostream.zmq

    def setup_pipe_in(self: Any) -> None:
        self._pipe_uuid = os.urandom(16)
        receiver = self.socket.context.socket(zmq.PULL)
        receiver.linger = 0
        receiver.bind(f"ipc://{path}")
        self._pipe_in = iostream.ZMQStream(receiver, self.io_loop)
        self._pipe_in.on_recv(self._handle_pipe_msg)

    def setup_pipe_out(_self: Any) -> Any:
        context = zmq.Context()
        sender = context.socket(zmq.PUSH)
        sender.linger = 3000
        sender.connect(f"ipc://{path}")
        return context, sender

    iostream.IOPubThread._setup_pipe_in = setup_pipe_in  # noqa: SLF001 - ipykernel has no setting for it
    iostream.IOPubThread._setup_pipe_out = setup_pipe_out  # noqa: SLF001 - as above


def _size(body: Any, pack: Any) -> int:
    """Return about how many bytes a message's content takes, exactly when it is large."""
    if "text" in body:
        return len(body["text"]) + _MESSAGE_BYTES
    estimate = sum(len(value) if isinstance(value, (str, bytes)) else 100 for value in body.get("data", {}).values())
    return (len(pack(body)) if estimate > _CHUNK else estimate) + _MESSAGE_BYTES


def _shorten(body: dict[str, Any]) -> None:
    """Cut an error's texts to what a person could read."""
    if isinstance(body.get("evalue"), str):
        body["evalue"] = body["evalue"][:_ERROR_CHARACTERS]
    lines = body.get("traceback")
    if isinstance(lines, list) and sum(len(str(line)) for line in lines) > _ERROR_CHARACTERS:
        share = max(_ERROR_CHARACTERS // max(len(lines), 1), 200)
        body["traceback"] = [str(line)[:share] for line in lines[:1000]]


def _silence_echo() -> None:
    """Stop the streams' copy to the kernel's own standard error: it would grow without limit in the runner's folder."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, OSError):
            os.dup2(nothing, stream._original_stdstream_copy)  # type: ignore[union-attr] # noqa: SLF001 - as above
    os.close(nothing)
