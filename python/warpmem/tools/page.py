#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""One self-contained page of HTML: tables, pictures, and the command that repeats each. For a screen of any width, and for paper.

`warpmem compare --html` and `make repro` write such pages. The first has this file in the program: so it imports nothing of the
house.

A document is a dictionary: title; about, a list of paragraphs; sections, a list of dictionaries, in which all but heading may be
absent: heading, text (paragraphs), table (rows of cells, the first one the heading; or text with tabs), pictures ([title, SVG]),
plain (text whose lines stay as they are), repeat (words of a command). foot: a last line.
"""
import base64
import html
import json
import re
import shlex
import sys

STYLE = """
:root { --ink: #1a1a1a; --soft: #5a5a5a; --line: #d5d5d5; --shade: #f4f4f2; --link: #0b5ca8; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 1rem; color: var(--ink); background: #fff;
       font: 1rem/1.5 system-ui, "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.2; margin: .5rem 0; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
p { margin: .5rem 0; max-width: 48rem; }
a { color: var(--link); }
nav ul { columns: 16rem; padding-left: 1.2rem; margin: .5rem 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th, td { padding: .2rem .6rem; text-align: left; white-space: nowrap; border-bottom: 1px solid var(--line); }
thead th { border-bottom: 2px solid var(--ink); }
tbody tr:nth-child(even) { background: var(--shade); }
.number { text-align: right; }
figure { margin: 1rem 0; }
figcaption, footer { color: var(--soft); font-size: .85rem; }
img { max-width: 100%; height: auto; }
pre { background: var(--shade); padding: .6rem .8rem; overflow-x: auto; font: .8rem/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
pre.command { white-space: pre-wrap; }
pre.command::before { content: "$ "; color: var(--soft); }
@media print {
  body { max-width: none; padding: 0; font-size: 9pt; }
  nav { display: none; }
  .wide, pre { overflow: visible; white-space: pre-wrap; }
  table { font-size: 7pt; }
  th, td { padding: .1rem .3rem; white-space: normal; overflow-wrap: break-word; }
  .number { white-space: nowrap; }
  thead { display: table-header-group; }
  h2, h3 { break-after: avoid; }
  tr, figure, pre.command { break-inside: avoid; }
}
"""
NUMBER = re.compile(r"[-+<>=~ ]*[0-9][0-9.,]*(e[-+]?[0-9]+)?( ?[%x])?|-|")


def escaped(text):
    return html.escape(str(text))


def paragraphs(texts):
    return "".join(f"<p>{escaped(text)}</p>\n" for text in texts)


def table(rows):
    """rows: lists of cells, the first one the heading; or text with tabs. A column of numbers ends alike."""
    if isinstance(rows, str):
        rows = [line.split("\t") for line in rows.splitlines()]
    head, *rest = [[str(cell) for cell in row] for row in rows]
    numbers = [any(row[at] not in ("", "-") for row in rest) and all(NUMBER.fullmatch(row[at]) for row in rest) for at in range(len(head))]
    kinds = [' class="number"' if number else "" for number in numbers]
    lines = ['<div class="wide"><table>', "<thead><tr>" + "".join(f"<th{k} scope=\"col\">{escaped(c)}</th>" for k, c in zip(kinds, head)) +
             "</tr></thead>", "<tbody>"]
    lines += ["<tr>" + "".join(f"<td{k}>{escaped(c)}</td>" for k, c in zip(kinds, row)) + "</tr>" for row in rest]
    return "\n".join(lines + ["</tbody></table></div>"]) + "\n"


def picture(title, svg):
    """As an image of its own: two drawings in one page would share the names of their parts."""
    data = base64.b64encode(svg.encode()).decode()
    return (f'<figure><img src="data:image/svg+xml;base64,{data}" alt="{escaped(title)}">'
            f"<figcaption>{escaped(title)}</figcaption></figure>\n")


def section(number, part):
    text = f'<section id="part{number}">\n<h2>{escaped(part["heading"])}</h2>\n' + paragraphs(part.get("text", []))
    text += "".join(picture(title, svg) for title, svg in part.get("pictures", []))
    text += table(part["table"]) if part.get("table") else ""
    text += f'<pre class="wide">{escaped(part["plain"])}</pre>\n' if part.get("plain") else ""
    if part.get("repeat"):
        text += f'<p>To repeat it:</p>\n<pre class="command">{escaped(shlex.join(part["repeat"]))}</pre>\n'
    return text + "</section>\n"


def contents(parts):
    """None of a single part."""
    if len(parts) < 2:
        return ""
    items = "".join(f'<li><a href="#part{i}">{escaped(part["heading"])}</a></li>\n' for i, part in enumerate(parts))
    return f"<nav><ul>\n{items}</ul></nav>\n"


def page(document):
    """The page of a document, as text."""
    parts, title = document["sections"], escaped(document["title"])
    return ("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
            + paragraphs(document.get("about", [])) + contents(parts) + "".join(section(i, part) for i, part in enumerate(parts))
            + f"<footer>{escaped(document.get('foot', ''))}</footer>\n</body>\n</html>\n")


if __name__ == "__main__":  # a document as JSON on stdin
    sys.stdout.write(page(json.load(sys.stdin)))
