"""The wire to the process that has the model: one JSON object a line, arrays as files."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import IO, Any

Message = dict[str, Any]


class KernelError(RuntimeError):
    """A kernel could not be compiled or run; the process that has the model knows why."""


class MisfitError(TypeError):
    """A kernel is called with tensors that it does not take."""


class OtherTargetError(KernelError):
    """A kernel is compiled for a target that has no model: the script goes no further."""


class Channel:
    """Asks and waits for the answer."""

    def __init__(self, asks: IO[str], answers: IO[str], folder: Path) -> None:
        self._asks, self._answers, self._folder = asks, answers, folder
        self._numbers = itertools.count()
        self.calls = 0

    def ask(self, message: Message) -> Message:
        """Raises KernelError where the answer is that there is none, and MisfitError where the call is wrong."""
        self.tell(message)
        line = self._answers.readline()
        answer: Message = json.loads(line) if line else {"error": "nobody answers any more"}
        if "misfit" in answer:
            raise MisfitError(answer["misfit"])
        if "error" in answer:
            raise KernelError(answer["error"])
        return answer

    def tell(self, message: Message) -> None:
        """Says something that needs no answer."""
        self._asks.write(json.dumps(message) + "\n")
        self._asks.flush()

    def store(self, tensor: Any) -> Message:
        """A torch tensor as a file, row-major."""
        import torch

        flat = tensor.detach().contiguous().reshape(-1).view(torch.uint8)
        file = self._folder / f"{next(self._numbers)}.bin"
        flat.numpy().tofile(file)
        dtype = str(tensor.dtype).removeprefix("torch.")
        return {"file": str(file), "dtype": dtype, "shape": list(tensor.shape)}

    def load(self, stored: Message) -> Any:
        """A tensor from a file."""
        import numpy as np
        import torch

        flat = torch.from_numpy(np.fromfile(stored["file"], np.uint8))
        dtype = getattr(torch, stored["dtype"])
        return flat.view(dtype).reshape(stored["shape"])


def is_tensor(value: Any) -> bool:
    """Whether a value is a torch tensor."""
    import torch

    return isinstance(value, torch.Tensor)


def finished(channel: Channel, asked: Message, given: dict[str, Any], returned: list[str]) -> Any:
    """Calls a kernel: `given` are its tensors by name, changed in place; those of `returned` are made and given back.

    Returns a tensor for one output, a list for several, None for none.
    """
    channel.calls += 1
    stored = {name: channel.store(tensor) for name, tensor in given.items()}
    answer = channel.ask({**asked, "tensors": stored, "returned": returned})
    for name, file in answer["tensors"].items():
        if name in given:
            import torch

            with torch.no_grad():
                given[name].copy_(channel.load(file))
    made = [channel.load(answer["tensors"][name]) for name in returned]
    return made[0] if len(made) == 1 else (made or None)
