"""Asks a model for one edit: context, prompt, answer, program; with a reason whenever nothing comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from modernizer.drift.facts import PlacedFact
from modernizer.repair.model.answers import Answer, AnswerRefusedError, read_answer
from modernizer.repair.model.budget import Budget, OutOfBudgetError
from modernizer.repair.model.client import ContextTooLongError, Label, ModelBusyError, ModelClient, ModelGoneError
from modernizer.repair.model.context import LIMIT, RUNGS, WIDEST, Context, Surroundings, build_context
from modernizer.repair.model.prompting import asking_again, messages_for
from modernizer.repair.model.redact import Redactor
from modernizer.repair.model.reply import Reply
from modernizer.repair.outcome import Ledger
from modernizer.repair.program import Key, Program
from modernizer.repair.proposer import Miss, Proposal, Situation

_SHRUNK = 0.5


class _RefusedError(Exception):
    """The model declined to answer or said nothing."""


@dataclass
class ModelRepairer:
    """Proposes edits by a model for one notebook, within its budget and ``max_fixes`` answers.

    ``facts`` gives the drift facts of a program. ``on_gone`` is told once why the model can't be had.
    """

    client: ModelClient
    budget: Budget
    around: Surroundings
    notebook: str
    max_fixes: int = 16
    limit: int = LIMIT
    widest: int = WIDEST
    facts: Callable[[Program], Sequence[PlacedFact]] = lambda _: ()
    on_gone: Callable[[str], object] = str
    secrets: Sequence[str] = ()
    answers: int = 0
    _counted: Ledger = field(default_factory=Ledger)

    @property
    def origin(self) -> str:
        """Return what this model's fixes are signed with."""
        return f"model:{self.client.access.model}"

    def propose(self, situation: Situation) -> Proposal | Miss:
        """Propose an edit for the failure; each try for one error sees more of the code, the last one all of it."""
        rung = len(situation.tried)
        if self.client.gone:
            return Miss()
        if rung >= RUNGS:
            return Miss()
        if self.answers >= self.max_fixes:
            return Miss(f"{self.max_fixes} model answers were tried", next="budget")
        try:
            proposal = self._proposal(situation, rung)
        except OutOfBudgetError as error:
            miss = Miss(str(error), next="budget")
        except ModelGoneError as error:
            self.on_gone(str(error))
            miss = Miss(str(error))
        except ContextTooLongError as error:
            miss = Miss(f"the prompt is too long for the server: {error}")
        except (ModelBusyError, _RefusedError) as error:
            miss = Miss(str(error))
        except AnswerRefusedError as error:
            miss = Miss(str(error), next="this-error" if error.declined else "ask-again")
        else:
            return replace(proposal, spent=self._spent())
        return replace(miss, spent=self._spent())

    def _proposal(self, situation: Situation, rung: int) -> Proposal:
        context, redactor, messages, reply = self._asked(situation, rung)
        try:
            answer = self._read(reply, context, redactor, situation)
        except AnswerRefusedError as error:
            if error.declined or self.answers >= self.max_fixes:
                raise
            again = asking_again(messages, reply.text[:6_000], str(error))
            reply = self._ask(again, situation, rung)
            answer = self._read(reply, context, redactor, situation)
        program = situation.program.replaced(answer.changes)
        return Proposal(program, redactor.hide(answer.explanation))

    def _asked(self, situation: Situation, rung: int) -> tuple[Context, Redactor, list[dict[str, str]], Reply]:
        """Ask with the context of this rung; once with a smaller one when the server finds it too long."""
        facts = self.facts(situation.program)
        for last in (False, True):
            context = build_context(situation, self.around, facts, rung=rung, limit=self.limit, widest=self.widest)
            redactor = Redactor(self.secrets)
            messages = messages_for(situation.kind, context, redactor)
            try:
                return context, redactor, messages, self._ask(messages, situation, rung)
            except ContextTooLongError:
                if last:
                    raise
                if rung < RUNGS - 1 or self.widest <= self.limit:
                    self.limit = int(self.limit * _SHRUNK)
                # What the usual prompts are allowed is as wide as it gets with this server.
                self.widest = self.limit
        raise AssertionError  # the second round returns or raises

    def _ask(self, messages: Sequence[Mapping[str, str]], situation: Situation, rung: int) -> Reply:
        self.answers += 1
        reply = self.client.ask(messages, self.budget, Label(self.notebook, situation.kind, rung))
        if reply.refused:
            raise _RefusedError(f"the model refused to answer: {' '.join(reply.text.split())[:200]}")
        return reply

    def _read(self, reply: Reply, context: Context, redactor: Redactor, situation: Situation) -> Answer:
        """Read an answer against the whole units that were shown, with what was hidden put back."""
        whole: dict[Key, str] = {unit: text for unit, text in situation.program.sources().items() if unit in context.shown}
        return read_answer(
            redactor.restore(reply.text),
            whole,
            in_part=context.in_part,
            failing=situation.failure.unit,
            cut_off=reply.finish == "length",
        )

    def _spent(self) -> Ledger:
        """Return what the budget counted since it was last asked."""
        now, before = self.budget.ledger, self._counted
        self._counted = now
        return Ledger(**{name: getattr(now, name) - getattr(before, name) for name in vars(now)})
