"""The rules that kernels are judged by: one page for each code of a finding, always in the same form."""

from gen.rules.page import Fragment, Page, PageError, Severity, parse
from gen.rules.shelf import GROUPS, codes, page, pages

__all__ = [
    "GROUPS",
    "Fragment",
    "Page",
    "PageError",
    "Severity",
    "codes",
    "page",
    "pages",
    "parse",
]
