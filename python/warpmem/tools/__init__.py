# SPDX-License-Identifier: Apache-2.0
"""Shared by the scripts of the source tree; not a part of the package for users."""
