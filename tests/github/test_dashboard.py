from __future__ import annotations

from dataclasses import replace

from forge import REPOSITORY
from hosted import World, broken

from modernizer.config import PullRequest
from modernizer.github.context import Context
from modernizer.github.dashboard import render_dashboard
from modernizer.github.marker import notebook_key
from modernizer.verdict.outcome import Outcome

SETTINGS = PullRequest(dashboard=True)
CONTEXT = Context(REPOSITORY, "schedule", "main", "main", run_id="7")


def tick(world: World, box: str, name: str) -> None:
    line = f"- [ ] <!-- {box}={notebook_key(name)} -->"
    assert line in world.forge.issues[0]["body"]
    world.forge.issues[0]["body"] = world.forge.issues[0]["body"].replace(line, line.replace("[ ]", "[x]"))


def test_one_issue_lists_every_notebook_and_is_edited_in_place(world: World) -> None:
    posted = world.post(settings=SETTINGS)
    world.commit({"c.ipynb": broken("c")})
    world.post(settings=SETTINGS)
    (issue,) = world.forge.issues
    assert posted.dashboard == issue["html_url"]
    for name in ("a.ipynb", "sub/ö b.ipynb", "well.ipynb", "c.ipynb"):
        assert f"`{name}`" in issue["body"]
    assert "Last run: 2026-12-01 06:01 UTC" in issue["body"]
    assert "#1" in issue["body"]


def test_a_notebook_that_is_ticked_to_be_ignored_is_not_proposed_and_stays_ticked(world: World) -> None:
    world.post(world.run(["well.ipynb"]), SETTINGS)
    world.post(settings=SETTINGS)
    tick(world, "ignore", "a.ipynb")
    world.commit({"a.ipynb": broken("a again")})
    world.post(settings=SETTINGS)
    assert "a.ipynb" not in world.forge.git("diff", "--name-only", "main...modernizer/repair").splitlines()
    assert f"- [x] <!-- ignore={notebook_key('a.ipynb')} -->" in world.forge.issues[0]["body"]


def test_a_notebook_that_is_ticked_to_be_tried_again_is_proposed_although_it_was_declined(world: World) -> None:
    world.post(settings=SETTINGS)
    world.forge.pulls[0]["state"] = "closed"
    tick(world, "retry", "a.ipynb")
    posted = world.post(settings=SETTINGS)
    assert posted.carried[0].action == "created"
    assert world.forge.git("diff", "--name-only", "main...modernizer/repair") == "a.ipynb"
    assert f"- [ ] <!-- retry={notebook_key('a.ipynb')} -->" in world.forge.issues[0]["body"]


def test_only_what_can_be_proposed_has_boxes_and_what_is_ignored_is_never_cut(world: World) -> None:
    names = [f"n/{'long' * 40}{index}.ipynb" for index in range(400)]
    results = [replace(world.result("a.ipynb"), path=name) for name in names]
    last = notebook_key(names[-1])
    body = render_dashboard(CONTEXT, replace(world.run().run, notebooks=tuple(results)), frozenset({last}), [])
    assert len(body.encode()) <= 65_536
    assert f"- [x] <!-- ignore={last} -->" in body
    hopeless = replace(results[0], before=Outcome("blocked", "missing-data"), after=None, repair=None)
    body = render_dashboard(CONTEXT, replace(world.run().run, notebooks=(hopeless,)), frozenset(), [])
    assert "<!-- ignore=" not in body
    assert "blocked: missing-data" in body
