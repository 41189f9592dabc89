"""Check a server and its services, and say how to fix any faults."""

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
        "Checks settings, database, Redis, mail, UDP, static files and clock, and the public"
        " address. Says what is wrong and what to do. Changes nothing. Exit code 0: no errors;"
        " 1: errors."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print a JSON list for programs")
        parser.add_argument("--strict", action="store_true", help="exit with 1 for warnings, too")

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
