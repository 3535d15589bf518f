"""Print what the benchmarks have kept in build/bench as a table in Markdown."""

from __future__ import annotations

import json

from harness import RESULTS, verdict


def row(line: dict) -> str:
    """Write a line of the table."""
    if "skip" in line:
        cells = [line["script"], line["name"], "", "", "", "skipped", line["skip"]]
        return f"| {' | '.join(cells)} |"
    low, high = line["spread"]
    cells = [
        line["script"],
        line["name"],
        f"{line['ours']:.3g} s" if "ours" in line else f"{line['rate']:,.0f}/s",
        f"{line['peer']:.3g} s" if "peer" in line else "",
        f"{line['floor']:.3g} s" if line.get("floor") else "",
        f"{line['value']:,.3g} ({low:,.3g}–{high:,.3g}, {line['rounds']})",
        f"{line['kind']}, {verdict(line)}",
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print the table, script by script."""
    heads = ["script", "row", "ours", "peer", "floor", "measured (spread, rounds)"]
    print(f"| {' | '.join([*heads, 'goal'])} |\n|{'---|' * 7}")
    for path in sorted(RESULTS.glob("*.json")):
        print(row(json.loads(path.read_text(encoding="utf-8"))))


if __name__ == "__main__":
    main()
