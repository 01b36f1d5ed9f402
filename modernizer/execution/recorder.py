"""Record what cells send: nbclient's handling of outputs, with streams merged as they come and a cap in bytes."""

from __future__ import annotations

import asyncio
import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.v4 import new_output

from modernizer.execution.kernel import SILENT

Output = Mapping[str, Any]
_MESSAGE_BYTES = 200
_SILENCE_SECONDS = 10
_CARRIAGE = re.compile(r"[^\n]*\r(?=[^\n])")


class Recorder(NotebookClient):
    """Executes single cells and keeps their outputs, at most ``cap`` bytes in all; what is dropped leaves a note.

    Errors never raise here: the reply to the last cell is in ``reply``, the id of its request in ``request``.
    """

    def __init__(
        self,
        node: NotebookNode,
        manager: AsyncKernelManager,
        client: AsyncKernelClient,
        *,
        cap: int,
        timeout: Callable[[Any], float],
    ) -> None:
        super().__init__(
            node,
            km=manager,
            log=SILENT,
            allow_errors=True,
            record_timing=False,
            timeout_func=timeout,
            on_cell_executed=self._keep_reply,
        )
        self.kc = client
        self.reply: dict[str, Any] = {}
        self.request = ""
        self._cap = cap
        self._time_left = timeout
        self._messages = 0
        self._sizes: dict[int, int] = {}

    async def record(self, index: int) -> None:
        """Execute one cell and record it. DeadKernelError, CellTimeoutError as nbclient says; outputs so far are kept."""
        cell = self.nb.cells[index]
        self.reply = {}
        self._sizes[index] = 0
        # The most that outputs may take after the reply; nbclient's own 4 s lose those of a reader that is slower.
        self.iopub_timeout = max(_SILENCE_SECONDS, math.ceil(self._time_left(cell)))
        try:
            await self.async_execute_cell(cell, index)
        finally:
            _join_streams(cell.outputs)

    def forget_from(self, index: int) -> None:
        """Forget the sizes of this cell and those after it, they run again."""
        self._sizes = {cell: size for cell, size in self._sizes.items() if cell < index}

    def give_up(self) -> None:
        """End a waiting cell with DeadKernelError: the kernel is known to be dead."""
        if self.task_poll_for_reply is not None:
            self.task_poll_for_reply.cancel()

    def process_message(self, msg: dict[str, Any], cell: NotebookNode, cell_index: int) -> NotebookNode | None:
        """Count a message and hand it on unless the cap is reached."""
        self._messages += 1
        kind = msg["msg_type"]
        if kind == "stream" or kind in {"display_data", "execute_result", "update_display_data"}:
            full = sum(self._sizes.values()) > self._cap
            self._sizes[cell_index] = self._sizes.get(cell_index, 0) + _size(msg["content"])
            if full or sum(self._sizes.values()) > self._cap or "dropped" in msg["content"]:
                self._note_dropped(cell.outputs)
                return None
            if kind == "stream" and self._continues(msg, cell.outputs):
                cell.outputs[-1]["text"].append(msg["content"]["text"])
                return None
        out = super().process_message(msg, cell, cell_index)
        if kind == "stream" and isinstance(out, dict) and isinstance(out.get("text"), str):
            # Text is collected in a list until the cell ends: adding to a long string costs its length each time.
            out["text"] = [out["text"]]
        return out

    async def _async_poll_for_reply(
        self,
        msg_id: str,
        cell: NotebookNode,
        timeout: int | None,  # noqa: ASYNC109 (nbclient's own signature)
        task_poll_output_msg: asyncio.Future[Any],
        task_poll_kernel_alive: asyncio.Future[Any],
    ) -> dict[str, Any]:
        """Wait for the reply, then for outputs as long as some come. Nothing of the coroutine runs before the reply is there."""
        outputs: Any = self._until_silent(task_poll_output_msg)
        try:
            return await super()._async_poll_for_reply(msg_id, cell, timeout, outputs, task_poll_kernel_alive)
        finally:
            outputs.close()

    async def _until_silent(self, outputs: asyncio.Future[Any]) -> None:
        seen = -1
        try:
            while not outputs.done() and seen != self._messages:
                seen = self._messages
                await asyncio.wait({outputs}, timeout=_SILENCE_SECONDS)
            if not outputs.done():
                raise TimeoutError
            await outputs
        finally:
            # Whatever ended the waiting: left alone it would take the messages of the next cell.
            outputs.cancel()

    def _continues(self, msg: dict[str, Any], outputs: list[NotebookNode]) -> bool:
        if self.clear_before_next_output or self.output_hook_stack[msg["parent_header"].get("msg_id")] or not outputs:
            return False
        last = outputs[-1]
        return bool(last["output_type"] == "stream" and last["name"] == msg["content"]["name"] and isinstance(last["text"], list))

    def _note_dropped(self, outputs: list[NotebookNode]) -> None:
        note = f"[modernizer] more than {self._cap / 1000**2:g} MB of output: the rest was dropped\n"
        if not outputs or outputs[-1].get("text") != note:
            outputs.append(new_output("stream", name="stderr", text=note))  # type: ignore[no-untyped-call]

    def _keep_reply(self, cell: NotebookNode, cell_index: int, execute_reply: dict[str, Any]) -> None:  # noqa: ARG002
        self.reply = execute_reply["content"]
        self.request = execute_reply["parent_header"]["msg_id"]


def plain_outputs(outputs: list[NotebookNode]) -> tuple[Output, ...]:
    """Return outputs as plain data of their own, safe from later updates."""
    return tuple(json.loads(json.dumps(output)) for output in outputs)


def _size(content: dict[str, Any]) -> int:
    if "text" in content:
        return len(content["text"]) + _MESSAGE_BYTES
    values = content.get("data", {}).values()
    return sum(len(value) if isinstance(value, str) else len(json.dumps(value)) for value in values) + _MESSAGE_BYTES


def _join_streams(outputs: list[NotebookNode]) -> None:
    """Join collected text; of a line that was overwritten (a progress bar) keep what was to be seen last."""
    for output in outputs:
        if output["output_type"] == "stream":
            text = output["text"]
            text = "".join(text) if isinstance(text, list) else text
            output["text"] = _CARRIAGE.sub("", text) if "\r" in text else text
