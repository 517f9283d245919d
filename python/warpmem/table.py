# SPDX-License-Identifier: Apache-2.0
"""A table: rows that are dictionaries, and columns by name."""
import collections.abc
import csv
import html
import io


def shown(value):
    return "-" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


class Table(collections.abc.Sequence):
    """Rows: table[0], len(table), iteration. Columns: table["cycles"], table.columns. A missing value is None.

    A row may hold more than the columns, as compare's `result`: table["result"] has that too, and what prints the table has not.
    pandas.DataFrame(table, columns=table.columns) takes it, as do matplotlib's functions with data=table.
    """

    def __init__(self, rows, columns=None):
        self.rows = [dict(row) for row in rows]
        self.columns = list(columns) if columns is not None else list(dict.fromkeys(name for row in self.rows for name in row))
        for row in self.rows:
            for name in self.columns:
                row.setdefault(name, None)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, at):
        """A row by number, rows by slice, a column by name."""
        if isinstance(at, str):
            if at not in self.columns and not any(at in row for row in self.rows):
                raise KeyError(f"{at}: no such column; there are {', '.join(self.columns)}")
            return [row.get(at) for row in self.rows]
        return Table(self.rows[at], self.columns) if isinstance(at, slice) else self.rows[at]

    def where(self, **wanted):
        """The rows whose columns have these values: table.where(scheme="mrpb")."""
        for name in wanted:
            if name not in self.columns:
                raise KeyError(f"{name}: no such column; there are {', '.join(self.columns)}")
        return Table([row for row in self.rows if all(row[name] == value for name, value in wanted.items())], self.columns)

    def csv(self):
        """The table separated by commas."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([["" if row[name] is None else row[name] for name in self.columns] for row in self.rows])
        return text.getvalue()

    def __repr__(self):
        cells = [self.columns] + [[shown(row[name]) for name in self.columns] for row in self.rows]
        widths = [max(len(line[i]) for line in cells) for i in range(len(self.columns))]
        return "\n".join("  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip() for line in cells)

    def _repr_html_(self):
        """Notebooks show this."""
        def line(tag, texts):
            return "<tr>" + "".join(f"<{tag}>{html.escape(text)}</{tag}>" for text in texts) + "</tr>"
        return ("<table>" + line("th", self.columns) +
                "".join(line("td", [shown(row[name]) for name in self.columns]) for row in self.rows) + "</table>")
