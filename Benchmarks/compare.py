"""Runs the scenarios, whose programs take turns, and writes medians, ratios and targets. Called by script/bench."""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time

from plot import write_plot
from scenarios import Bench

HEADINGS = {
    "rate": "requests/s",
    "cpu_us": "CPU per request (µs)",
    "rss_mb": "peak RSS (MB)",
    "speed": "MB/s",
    "cpu_s": "CPU (s)",
    "stream_kb": "memory for each (KB)",
    "threads": "threads",
    "events": "events/s",
    "event_cpu_us": "CPU per event (µs)",
    "events_per_core": "events per second of CPU",
    "messages": "messages/s",
    "message_cpu_us": "CPU per message (µs)",
    "echoed": "MB/s each way",
    "parsed": "MB per second of CPU",
    "document_cpu_us": "CPU per document (µs)",
    "growth_mb": "growth of RSS (MB)",
    "start_cpu_ms": "CPU (ms)",
    "start_ms": "time (ms)",
}
TIME_LIMIT = 60
QUIET_LOAD = 1.5
SECONDS_TO_SETTLE = 300


class Failure(Exception):
    pass


def cpu_of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(program, scenario):
    """Runs a program once and returns its figures by name."""
    if scenario.is_start:
        return start_of(program)
    if scenario.writes and os.path.exists(scenario.writes):
        os.remove(scenario.writes)
    cpu, start = cpu_of_children(), time.monotonic()
    try:
        done = subprocess.run(program.command, capture_output=True, text=True, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        raise Failure(f"did not end within {TIME_LIMIT} s") from None
    except OSError as error:
        raise Failure(error.strerror) from None
    seconds, cpu = time.monotonic() - start, cpu_of_children() - cpu
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines()
        raise Failure(lines[0] if lines else f"ended with status {done.returncode}")
    figures = figures_of_line(done.stdout) if done.stdout.strip() else {}
    if scenario.bytes_moved:
        moved = figures.get("bytes", scenario.bytes_moved)
        if moved != scenario.bytes_moved:
            raise Failure(f"moved {moved} of {scenario.bytes_moved} bytes")
        figures |= {"speed": scenario.bytes_moved / seconds / 1e6, "cpu_s": cpu}
    return figures


def start_of(program):
    """Runs a program whose output is ignored. Started without a copy of this process, whose CPU would count as the program's."""
    command = shutil.which(program.command[0]) or program.command[0]
    nothing = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)]
    begin = time.monotonic()
    try:
        process = os.posix_spawn(command, program.command, os.environ, file_actions=nothing)
    except OSError as error:
        raise Failure(error.strerror) from None
    _, status, usage = os.wait4(process, 0)
    seconds = time.monotonic() - begin
    if status != 0:
        raise Failure(f"ended with status {os.waitstatus_to_exitcode(status)}")
    return {"start_cpu_ms": (usage.ru_utime + usage.ru_stime) * 1e3, "start_ms": seconds * 1e3}


def figures_of_line(line):
    printed = json.loads(line)
    if printed["errors"]:
        raise Failure(f"{printed['errors']} of {printed['requests']} requests failed")
    figures = {
        "rate": printed["requests_per_second"],
        "cpu_us": printed["cpu_microseconds_per_request"],
        "rss_mb": printed["peak_rss_kb"] * 1024 / 1e6,
        "bytes": printed["bytes"],
    }
    figures |= {"messages": figures["rate"], "message_cpu_us": figures["cpu_us"], "document_cpu_us": figures["cpu_us"]}
    figures |= {"echoed": printed["bytes"] / printed["seconds"] / 1e6}
    if printed["cpu_microseconds_per_request"] > 0:
        figures |= {"parsed": printed["bytes"] / (printed["cpu_microseconds_per_request"] * printed["requests"])}
    if "event" in printed["name"]:
        cpu_us = printed["cpu_microseconds_per_request"]
        figures |= {"events": printed["requests_per_second"], "event_cpu_us": cpu_us, "events_per_core": 1e6 / cpu_us}
    if "growth_kb" in printed:
        figures |= {"growth_mb": printed["growth_kb"] * 1024 / 1e6}
    if "bytes_per_stream" in printed:
        figures |= {"stream_kb": printed["bytes_per_stream"] / 1000, "threads": printed["threads"]}
    return figures


def run_rounds(scenario, rounds):
    """Returns each program's figures, turn by turn, and why programs failed. The order is reversed every turn."""
    measured = {program.label: {} for program in scenario.programs}
    failures = {program.label: program.missing for program in scenario.programs if program.missing}
    for number in range(min(rounds * scenario.turns, scenario.most_rounds)):
        for program in scenario.programs if number % 2 == 0 else reversed(scenario.programs):
            if number >= program.most_rounds or program.label in failures:
                continue
            try:
                measured[program.label][number] = run(program, scenario)
            except Failure as failure:
                failures[program.label] = str(failure)
                measured[program.label] = {}
    return measured, failures


def ratio(target, measured):
    """The median of the turns' ratios: what drifts between turns weighs on both sides."""
    own = measured[target.of]
    if not target.against:
        return statistics.median(figures[target.figure] for figures in own.values()) if own else None
    best = min if target.figure == "cpu_us" else max
    ratios = []
    for number, figures in own.items():
        others = [measured[label][number][target.figure] for label in target.against if number in measured[label]]
        if others:
            ratios.append(figures[target.figure] / best(others))
    return statistics.median(ratios) if ratios else None


def shown(value):
    if value is None:
        return "–"
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def target_row(target, measured):
    value = ratio(target, measured)
    if target.at_least is not None:
        limit, is_met = f"≥ {target.at_least:g}", value is not None and value >= target.at_least
    elif target.at_most is not None:
        limit, is_met = f"≤ {target.at_most:g}", value is not None and value <= target.at_most
    else:
        return [target.text, shown(value), "", ""]
    return [target.text, shown(value), limit, "not measured" if value is None else "met" if is_met else "MISSED"]


def table(rows):
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in rows]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def section(scenario, measured, failures):
    rows = [["program"] + [HEADINGS[column] for column in scenario.columns]]
    for program in scenario.programs:
        results = measured[program.label].values()
        if program.label in failures:
            rows.append([program.label, failures[program.label]] + [""] * (len(scenario.columns) - 1))
            continue
        cells = []
        for column in scenario.columns:
            values = [figures[column] for figures in results if column in figures]
            cells.append(shown(statistics.median(values)) if values else "–")
        rows.append([program.label] + cells)
    parts = [f"## {scenario.title}", table(rows)]
    if scenario.targets:
        targets = [target_row(target, measured) for target in scenario.targets]
        parts.append(table([["ratio", "measured", "target", ""]] + targets))
    return "\n\n".join(parts) + "\n"


def first_line(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    lines = (done.stdout + done.stderr).strip().splitlines()
    return lines[0] if lines else "?"


def wait_for_quiet(is_written):
    """The machine's load, once what was built before weighs no more; only figures of a quiet machine are written."""
    end = time.monotonic() + (SECONDS_TO_SETTLE if is_written else 0)
    while (load := os.getloadavg()[0]) > QUIET_LOAD and time.monotonic() < end:
        time.sleep(5)
    print(f"load of the machine: {load:.2f}", flush=True)
    if is_written and load > QUIET_LOAD:
        sys.exit(f"script/bench: not written: the machine is busy (load {load:.2f}, at most {QUIET_LOAD})")
    return load


def introduction(rounds, is_quick, load):
    amount = "a tenth of the requests, " if is_quick else ""
    return f"""# What Godwit costs

Written by `script/bench`; do not edit. {time.strftime('%Y-%m-%d')}, {os.cpu_count()} processors, {amount}{rounds} round(s): the programs of
a scenario take turns, some several times a round, against one nginx worker on loopback that shares the processors.
Figures are medians; a ratio is the median of the turns' ratios. Read ratios, not absolutes. Load at the start: {load:.2f}.

- {first_line('swift', '--version')}
- {first_line('curl', '--version').split(' libcurl')[0]}, lib{first_line('curl', '--version').split(' lib', 1)[1].split(' zlib')[0]}
- {first_line('nginx', '-v')}
- raw_*: C programs on libcurl (Benchmarks/raw). Ours: Benchmarks/GodwitBench. URLSession: the toolchain's.
- Peers (Benchmarks/peers) are what Debian and PyPI have. floor: a C program with epoll and the least HTTP/1.1.
- CPU is the client's alone, user and system. Large transfers are timed from outside, start-up included.
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--directory", required=True)
    parser.add_argument("--streams-port", type=int, required=True)
    parser.add_argument("--events-port", type=int, required=True)
    parser.add_argument("--echo-port", type=int, required=True)
    parser.add_argument("--tls-port", type=int, required=True)
    parser.add_argument("--newest-libcurl", help="a folder with a libcurl that has HTTP/3")
    parser.add_argument("--http3-port", type=int)
    parser.add_argument("--python", required=True)
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--peers", help="the folder with what script/bench --peers built")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--output", required=True)
    options = parser.parse_args()
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    bench = Bench(root, options.directory, options.streams_port, options.events_port, options.echo_port,
                  options.tls_port, options.newest_libcurl, options.http3_port, options.python, options.peers, options.quick)
    load = wait_for_quiet(is_written=options.output != os.devnull)
    parts, has_failed = [introduction(options.rounds, options.quick, load)], False
    for scenario in bench.scenarios():
        measured, failures = run_rounds(scenario, options.rounds)
        has_failed = has_failed or any(program.label in failures for program in scenario.programs if not program.missing)
        parts.append(section(scenario, measured, failures))
        if scenario.curves and options.output != os.devnull:
            parts.append(write_plot(scenario, measured, os.path.dirname(options.output)))
        print(parts[-1], flush=True)
        # After each scenario, so that little is lost if one never ends.
        with open(options.output, "w", encoding="utf-8") as output:
            output.write("\n".join(parts))
    sys.exit(1 if has_failed else 0)


try:
    main()
except KeyboardInterrupt:
    sys.exit(130)
