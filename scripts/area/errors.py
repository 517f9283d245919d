# SPDX-License-Identifier: Apache-2.0
"""What ends a run of the area scripts: one line that says what, where and what is allowed."""


class BadInput(Exception):
    """The user can mend it: exit code 2."""


class ToolFailed(Exception):
    """A tool said something unexpected, or what came out is not as it must be: exit code 1."""
