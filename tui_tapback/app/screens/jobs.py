"""All that the chat screen does about the agent's work, composed; typed commands go to their part."""

from __future__ import annotations

from typing import assert_never

from tui_tapback.widgets.composer import commands as typed

from .attaching import AttachingPart
from .models import ModelsPart
from .tasks import WorkPart


class JobParts(WorkPart, ModelsPart, AttachingPart):
    """Tasks, models, files."""

    def do_job(self, job: typed.Job, words: str) -> None:
        """Carry out a typed command."""
        match job:
            case typed.Job.ATTACH:
                self.attach(words)
            case typed.Job.TASKS:
                self.action_tasks()
            case typed.Job.LIST:
                self.action_todo()
            case typed.Job.MODEL:
                self.choose_model(words)
            case typed.Job.CONFIG:
                self.action_gateway_config()
            case typed.Job.BACKGROUND | typed.Job.BTW:
                self.begin_aside(words, question=job is typed.Job.BTW)
            case _:
                assert_never(job)
