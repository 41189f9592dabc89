"""Check a server and its services, and say what to do."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from operations.doctor.examination import findings
from operations.doctor.findings import Finding

MARKS = {"ok": "ok     ", "warning": "warning", "error": "ERROR  "}


class Command(BaseCommand):
    requires_system_checks = ()
    help = (
        "Looks at settings, database, Redis, mail, UDP, static files, clock, and at the server"
        " through its public address; says what is wrong and what to do. Changes nothing. Ends"
        " with 0 where there is no error, else with 1."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="a list of objects for programs")
        parser.add_argument(
            "--strict", action="store_true", help="end with 1 where there is a warning, too"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        found: list[Finding] = []
        for finding in findings():
            found.append(finding)
            if not options["json"]:
                self._tell(finding)
        errors = sum(finding.level == "error" for finding in found)
        warnings = sum(finding.level == "warning" for finding in found)
        if options["json"]:
            self.stdout.write(json.dumps([finding.as_json() for finding in found], indent=1))
        else:
            self.stdout.write(f"{errors} errors, {warnings} warnings.")
        if errors or (warnings and options["strict"]):
            sys.exit(1)

    def _tell(self, finding: Finding) -> None:
        self.stdout.write(f"{MARKS[finding.level]}  {finding.about:<13} {finding.said}")
        if finding.do:
            self.stdout.write(f"{'':>9}{'':<13} → {finding.do}")
        self.stdout.flush()
