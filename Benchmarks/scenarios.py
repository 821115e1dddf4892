"""What script/bench runs: programs, how often, and the targets they are held to."""

import os
from dataclasses import dataclass, field

GIBIBYTE = 1 << 30
JSON_FIGURES = {"parsed": "MB per second of CPU", "growth_mb": "peak growth"}
LARGE_DOCUMENTS = ["twitter.json", "citm_catalog.json", "canada.json"]


@dataclass
class Program:
    """A line of a scenario's table; prints one line of JSON, unless it is the curl command line."""

    label: str
    command: list[str]
    most_rounds: int = 100
    missing: str | None = None  # why it can't be measured here


@dataclass
class Target:
    """A ratio: one program's figure against another's, the lowest or the highest of several where it says so."""

    text: str
    of: str
    against: list[str]  # none: the figure itself is compared
    figure: str
    at_least: float | None = None
    at_most: float | None = None


@dataclass
class Scenario:
    title: str
    programs: list[Program]
    targets: list[Target]
    columns: list[str] = field(default_factory=lambda: ["rate", "cpu_us", "rss_mb"])
    bytes_moved: int | None = None  # set: time and CPU are taken from outside, start-up included
    writes: str | None = None  # a file that is removed before each run
    most_rounds: int = 100
    is_start: bool = False  # time and CPU of the whole program are taken from outside; what it prints is ignored
    curves: dict[str, dict[int, str]] = field(default_factory=dict)  # of a plot: a program's label by its size
    turns: int = 1  # how often each program runs in a round: what the machine does meanwhile then weighs less


@dataclass
class Bench:
    """Where things are, and how much is to be done."""

    root: str
    directory: str
    streams_port: int
    events_port: int
    echo_port: int
    tls_port: int
    newest_libcurl: str | None  # a folder with a libcurl that has HTTP/3
    http3_port: int | None
    python: str  # one that has the packages of script/servers.d/requirements.txt
    peers: str | None  # the folder with what `script/bench --peers` built
    is_quick: bool

    def __post_init__(self):
        self.plain = os.environ["GODWIT_TEST_NGINX_HTTP"]
        self.secure = os.environ["GODWIT_TEST_NGINX_H2"]
        self.authority = os.environ["GODWIT_TEST_CA"]
        self.redis = os.environ.get("GODWIT_TEST_REDIS")  # None: it isn't installed
        self.target_file = f"{self.directory}/download.bin"
        self.source_file = f"{self.directory}/servers/docroot/1g.bin"

    def count(self, full):
        return str(full // 10 if self.is_quick else full)

    def raw(self, name, *arguments):
        return Program(name, [f"{self.root}/Benchmarks/raw/{name}", *arguments])

    def ours(self, mode, *arguments):
        return Program(mode, [f"{self.root}/Benchmarks/GodwitBench/.build/release/godwit-bench", mode, *arguments])

    def urlsession(self, mode, *arguments):
        program = f"{self.root}/Benchmarks/URLSessionBench/.build/release/urlsession-bench"
        return Program("URLSession", [program, mode, *arguments])

    def scenarios(self):
        return [
            self.sequential(),
            self.in_flight("64 in flight: 1 KB GET, HTTP/1.1", self.plain, 80000, [], 1.3),
            self.in_flight("64 in flight: 1 KB GET, HTTPS, HTTP/2", self.secure, 40000,
                           ["--http2", "--cacert", self.authority], 1.2),
            *self.beside_peers(),
            *self.on_newest_libcurl(),
            self.fresh_connections(),
            self.download(),
            self.upload(),
            self.discard(),
            self.json(),
            self.short_json(),
            *[self.json_document(path, least) for path, least in self.json_documents().items()],
            self.json_shapes(),
            self.json_memory(),
            self.cache_hits(),
            self.observed(),
            *self.fleet(),
            self.streams(),
            self.events(),
            self.event_parser(),
            self.echo("32 bytes", 32, 10000, {"Node": 1.2}),
            self.echo("16 KiB", 16 << 10, 5000, {}),
            self.echo("16 MiB", 16 << 20, 10, {"Python": 1.2}),
            self.sockets(),
            self.growth(),
            self.start("--version", "--version"),
            self.start("1 KB GET, HTTP/1.1", f"{self.plain}/1k.json"),
        ]

    def start(self, title, argument):
        godwit = f"{self.directory}/command/bin/godwit"
        return Scenario(
            f"The command, from start to end: {title}",
            [Program("curl", ["curl", "--silent", argument]), Program("godwit", [godwit, argument])],
            [Target("godwit / curl, CPU", "godwit", ["curl"], "start_cpu_ms", at_most=1.5)],
            columns=["start_cpu_ms", "start_ms"], is_start=True, turns=30)

    def sequential(self):
        url = f"{self.plain}/1k.json"
        counted = [url, self.count(15000), "1"]
        return Scenario(
            "Sequential: 1 KB GET, HTTP/1.1",
            [
                self.raw("raw_easy", *counted),
                self.raw("raw_thread", *counted),
                self.ours("sequential-engine", *counted),
                self.ours("sequential-executor", *counted),
                self.ours("sequential-client", *counted),
                self.urlsession("get", url, self.count(1500), "1"),
            ],
            [
                Target("engine / raw loop on its own thread, requests/s", "sequential-engine", ["raw_thread"],
                       "rate", at_least=0.8),
                Target("engine as executor / single-threaded raw, requests/s", "sequential-executor", ["raw_easy"],
                       "rate", at_least=0.75),
                Target("client / raw loop on its own thread, requests/s", "sequential-client", ["raw_thread"], "rate"),
                Target("client / URLSession, requests/s", "sequential-client", ["URLSession"], "rate"),
            ],
        )

    def fresh_connections(self):
        url = f"https://127.0.0.1:{self.tls_port}/"
        # The system's authorities and that of the server, as libcurl takes one file.
        bundle = f"{self.directory}/bundle.pem"
        with open(bundle, "wb") as output:
            for path in ("/etc/ssl/certs/ca-certificates.crt", self.authority):
                with open(path, "rb") as source:
                    output.write(source.read())
        counted = [url, "200", "20", "--cacert"]
        return Scenario(
            "200 fresh TLS connections with the system's authorities, 20 at a time",
            [self.raw("raw_poll", *counted, bundle), self.ours("engine", *counted, self.authority)],
            [
                Target("engine: CPU per connection (\u00b5s)", "engine", [], "cpu_us", at_most=2000),
                Target("engine / raw libcurl, CPU per connection", "engine", ["raw_poll"], "cpu_us", at_most=0.5),
            ],
        )

    def in_flight(self, title, base, full, options, most):
        url = f"{base}/1k.json"
        turns = 1 if self.is_quick else 5
        counted = [url, self.count(full // turns), "64", *options]
        urlsession = self.urlsession("get", url, self.count(3000 // turns), "64")
        if options:
            trust = [f"{self.root}/script/servers", "trust", f"{self.directory}/servers"]
            urlsession.command = trust + urlsession.command
        raw = ["raw_poll", "raw_epoll"]
        return Scenario(
            title,
            [
                self.raw("raw_poll", *counted),
                self.raw("raw_epoll", *counted),
                self.ours("engine", *counted),
                self.ours("engine-executor", *counted),
                self.ours("client", *counted),
                self.ours("client-full", *counted),
                urlsession,
            ],
            [
                Target("engine / cheaper raw, CPU per request", "engine", raw, "cpu_us", at_most=1.2),
                Target("engine as executor / cheaper raw, CPU per request", "engine-executor", raw, "cpu_us"),
                Target("client / cheaper raw, CPU per request", "client", raw, "cpu_us", at_most=most),
                Target("client with everything on / client, CPU per request", "client-full", ["client"], "cpu_us",
                       at_most=1.5),
                Target("client, peak RSS in MB", "client", [], "rss_mb", at_most=16),
                Target("client / URLSession, requests/s", "client", ["URLSession"], "rate", at_least=10),
            ],
            turns=turns,
        )

    def on_newest_libcurl(self):
        """The engine and the raw programs on the library that has HTTP/3."""
        if not self.newest_libcurl:
            return []
        http3 = f"https://127.0.0.1:{self.http3_port}/bytes/1024"
        trusted = ["--cacert", self.authority]
        return [
            self.same_library("HTTP/1.1", f"{self.plain}/1k.json", 80000, []),
            self.same_library("HTTPS, HTTP/2", f"{self.secure}/1k.json", 40000, ["--http2", *trusted]),
            # Its server is written in Python, so it limits the rate.
            self.same_library("HTTPS, HTTP/3", http3, 5000, ["--http3", *trusted]),
        ]

    def same_library(self, title, url, full, options):
        turns = 1 if self.is_quick else 5
        counted = [url, self.count(full // turns), "64", *options]
        raw = ["raw_poll", "raw_epoll"]
        programs = [self.raw(name, *counted) for name in raw]
        programs += [self.ours(mode, *counted) for mode in ("engine", "engine-executor")]
        for program in programs:
            program.command = ["env", f"LD_LIBRARY_PATH={self.newest_libcurl}", *program.command]
        return Scenario(
            f"64 in flight on libcurl 8.23: 1 KB GET, {title}",
            programs,
            [
                Target("engine / cheaper raw, CPU per request", "engine", raw, "cpu_us", at_most=1.25),
                Target("engine as executor / cheaper raw, CPU per request", "engine-executor", raw, "cpu_us"),
            ],
            turns=turns,
        )

    def beside_peers(self):
        """The same GET by what people would pick instead."""
        if not self.peers:
            return []
        secure = ["--http2", "--cacert", self.authority]
        return [
            self.peer_scenario("HTTP/1.1", self.plain, 64, 60000, [], 1.3),
            self.peer_scenario("HTTPS, HTTP/2", self.secure, 64, 40000, secure, 1.2),
            self.peer_scenario("HTTP/1.1", self.plain, 1, 20000, [], 1.2),
            self.peer_scenario("HTTPS, HTTP/2", self.secure, 1, 20000, secure, 1.25),
        ]

    def peer_scenario(self, version, base, in_flight, full, options, most):
        url, turns = f"{base}/1k.json", 1 if self.is_quick else 2
        counted, fewer = [[url, self.count(count // turns), str(in_flight)] for count in (full, full // 10)]
        modes = ["engine", "client"] if in_flight > 1 else ["sequential-engine", "sequential-client"]
        raw = ["raw_poll"] if in_flight > 1 else ["raw_easy"]
        programs = [self.raw(name, *counted, *options) for name in raw]
        programs += [self.ours(mode, *counted, *options) for mode in modes]
        programs += [self.peer("reqwest", ["reqwest-get"], *counted, *options),
                     self.peer("Go net/http", ["go-get"], *counted, *options)]
        if not options:
            programs.append(self.peer("floor", ["floor"], *counted))
            programs += [self.peer(name, [f"python-{name}"], *fewer) for name in ("aiohttp", "httpx")]
            programs += [self.peer("Node fetch", ["node-fetch"], *fewer), self.urlsession("get", *fewer)]
        how = f"{in_flight} in flight" if in_flight > 1 else "one at a time"
        return Scenario(
            f"Beside others: 1 KB GET, {version}, {how}", programs,
            [
                Target("client / raw libcurl, CPU per request", modes[1], raw, "cpu_us", at_most=most),
                Target("client / Go, CPU per request", modes[1], ["Go net/http"], "cpu_us", at_most=1),
                Target("client / reqwest, CPU per request", modes[1], ["reqwest"], "cpu_us"),
                Target("client, peak RSS in MB", modes[1], [], "rss_mb", at_most=16),
            ],
            turns=turns,
        )

    def peer(self, label, command, *arguments):
        path = f"{self.peers}/{command[0]}"
        missing = None if os.access(path, os.X_OK) else "NOT MEASURED: it can't be had here"
        return Program(label, [path, *arguments], missing=missing)

    def growth(self):
        """What a call costs beside more and more of something: flat, or little more than that."""
        sizes = {"in flight": [1, 64, 1000, 10000], "hosts": [1, 10, 1000]}
        sizes |= {name: [10, 1000, 100_000] for name in ("cookies", "cache", "limits")}
        programs, targets, curves = [], [], {}
        for name, counts in sizes.items():
            curves[name] = {}
            for size in counts:
                mode = "client" if name == "in flight" else f"growth-{name}"
                program = self.ours(mode, f"{self.plain}/1k.json", self.count(40000), str(size))
                program.label = curves[name][size] = f"{name}: {size:,}"
                programs.append(program)
            first, last = [curves[name][size] for size in (counts[0], counts[-1])]
            targets.append(Target(f"{last} / {first}, CPU per call", last, [first], "cpu_us", at_most=2))
        return Scenario("Growth: a call beside more and more", programs, targets, curves=curves)

    def download(self):
        url = f"{self.plain}/1g.bin"
        return self.large("1 GiB download to a file", [
            Program("curl", ["curl", "--silent", "--show-error", "--fail", "--output", self.target_file, url]),
            self.ours("download", url, "1", "1", "--file", self.target_file),
            self.urlsession("download", url, "1", "1", "--file", self.target_file),
        ])

    def upload(self):
        url = f"{self.plain}/upload"
        return self.large("1 GiB upload from a file", [
            Program("curl", ["curl", "--silent", "--show-error", "--fail", "--upload-file", self.source_file, url]),
            self.ours("upload", url, "1", "1", "--file", self.source_file),
            self.urlsession("upload", url, "1", "1", "--file", self.source_file),
        ])

    def discard(self):
        counted = [f"{self.plain}/1g.bin", "1", "1"]
        return self.large("1 GiB download, discarded", [
            self.raw("raw_discard", *counted), self.ours("discard", *counted), self.urlsession("discard", *counted),
        ])

    def large(self, title, programs):
        peer, own, urlsession = programs
        urlsession.most_rounds = 1  # it takes up to 13 s, and nothing is measured against it
        return Scenario(
            title,
            [peer, own] if self.is_quick else programs,
            [
                Target(f"{own.label} / {peer.label}, speed", own.label, [peer.label], "speed", at_least=0.9),
                Target(f"{own.label}, peak RSS in MB", own.label, [], "rss_mb", at_most=40),
            ],
            columns=["speed", "cpu_s", "rss_mb"],
            bytes_moved=GIBIBYTE,
            writes=self.target_file,
            turns=1 if self.is_quick else 3,
        )

    def json(self):
        counted = [f"{self.plain}/100k.json", self.count(500), "1"]
        return Scenario(
            "100 KB of JSON: GET and decode, sequential",
            [self.ours("json", *counted), self.ours("json-foundation", *counted), self.urlsession("json", *counted)],
            [
                Target("client / URLSession, requests/s", "json", ["URLSession"], "rate"),
                Target("client / client with Foundation's coders, CPU", "json", ["json-foundation"], "cpu_us"),
            ],
        )

    def short_json(self):
        counted = [f"{self.plain}/1k.json", self.count(40000), "64"]
        own = "short-json"
        return Scenario(
            "1 KB of JSON: GET and decode, 64 in flight",
            [self.ours(mode, *counted) for mode in ("client", own, "short-json-foundation")],
            [
                Target("client / client with Foundation's coders, CPU", own, ["short-json-foundation"], "cpu_us"),
                Target("client / client that decodes nothing, CPU", own, ["client"], "cpu_us"),
            ],
        )

    def json_documents(self):
        """The documents, and how often as fast as Foundation's decoder ours should be with each."""
        shared = os.path.normpath(f"{self.root}/../shared/data/json")
        served = f"{self.directory}/servers/docroot"
        return {
            f"{shared}/twitter.json": 5, f"{shared}/citm_catalog.json": 5, f"{shared}/github_events.json": 5,
            f"{shared}/canada.json": 4, f"{served}/100k.json": 5, f"{served}/1k.json": None,
        }

    def json_program(self, label, mode, document, coder, program="json-bench"):
        program = f"{self.root}/Benchmarks/GodwitBench/.build/release/{program}"
        seconds = "0.04" if self.is_quick else "0.4"
        return Program(f"{label}, {coder}", [program, mode, document, coder.lower(), seconds])

    def json_scenario(self, title, rows, figure, columns, limits):
        """Each row, a label, a mode and a document, by both coders; `limits` has what each target is held to."""
        programs = [self.json_program(*row, coder) for row in rows for coder in ("Godwit", "Foundation")]
        targets = [
            Target(f"{label}: Godwit / Foundation, {JSON_FIGURES[figure]}", f"{label}, Godwit",
                   [f"{label}, Foundation"], figure, **limit)
            for (label, _, _), limit in zip(rows, limits)
        ]
        return Scenario(title, programs, targets, columns=columns)

    def json_document(self, path, least):
        rows = [(mode, mode, path) for mode in ("decode", "encode", "encode-unsorted")]
        limits = [{"at_least": least}, {"at_least": 3.5}, {"at_least": 3.5}]
        columns = ["document_cpu_us", "parsed", "rss_mb"]
        scenario = self.json_scenario(f"JSON: {os.path.basename(path)}", rows, "parsed", columns, limits)
        scenario.programs.insert(0, self.json_program("parse", "parse", path, "Godwit"))
        # Models that conform to JSONReadable, as those of the generator do.
        scenario.programs.insert(3, self.json_program("decode readable models", "decode", path, "Godwit", "json-bench-readable"))
        scenario.targets.insert(1, Target(
            f"decode readable models: Godwit / Foundation, {JSON_FIGURES['parsed']}", "decode readable models, Godwit",
            ["decode, Foundation"], "parsed", at_least=8))
        if least is None:
            scenario.targets.append(
                Target("decode: Godwit, CPU per document (µs)", "decode, Godwit", [], "document_cpu_us", at_most=5))
        return scenario

    def json_shapes(self):
        shapes = ["huge-string", "escaped-string", "deep", "keys-missing", "keys-in-order", "keys-reversed",
                  "keys-unknown", "keys-snake-case", "dictionary", "failures"]
        return self.json_scenario(
            "JSON: shapes that a decoder could be slow at", [(shape, "decode", shape) for shape in shapes], "parsed",
            ["document_cpu_us", "parsed", "rss_mb"], [{"at_least": 1}] * len(shapes))

    def json_memory(self):
        large = [path for path in self.json_documents() if os.path.basename(path) in LARGE_DOCUMENTS]
        return self.json_scenario(
            "JSON: what decoding adds to the resident set of a fresh process",
            [(os.path.basename(path), "memory", path) for path in large], "growth_mb",
            ["growth_mb", "rss_mb"], [{"at_most": 1}] * len(large))

    def cache_hits(self):
        url = f"{self.plain}/1k.json"
        counted = [url, self.count(20000), "1"]
        return Scenario(
            "Cache hit: 1 KB, sequential, compared with the request it saves",
            [
                self.ours("sequential-engine", *counted),
                self.ours("hit-memory", *counted),
                self.ours("hit-disk", *counted, "--file", f"{self.directory}/cache"),
            ],
            [
                Target("hit in memory, CPU in µs", "hit-memory", [], "cpu_us", at_most=20),
                Target("hit on disk, CPU in µs", "hit-disk", [], "cpu_us", at_most=200),
                Target("hit in memory / request, CPU", "hit-memory", ["sequential-engine"], "cpu_us"),
                Target("hit on disk / request, CPU", "hit-disk", ["sequential-engine"], "cpu_us"),
            ],
        )

    def observed(self):
        counted = [f"{self.plain}/1k.json", self.count(100000), "1"]
        over_nginx = [f"{self.plain}/1k.json", self.count(40000), "64"]
        observers = ["chain-metrics", "chain-telemetry", "chain-inspector", "chain-recorder"]
        return Scenario(
            "What observing a call costs: 1 KB, over a transport that answers at once and over nginx",
            [self.ours(mode, *counted) for mode in ["chain", *observers]]
            + [self.ours(mode, *over_nginx) for mode in ("client", "client-telemetry")],
            [Target(f"{mode} / chain, CPU", mode, ["chain"], "cpu_us") for mode in observers]
            + [Target("chain-inspector, CPU in µs", "chain-inspector", [], "cpu_us", at_most=12),
               Target("chain-recorder, CPU in µs", "chain-recorder", [], "cpu_us", at_most=8),
               Target("client-telemetry / client, CPU", "client-telemetry", ["client"], "cpu_us", at_most=1.25)],
            turns=1 if self.is_quick else 3,
        )

    def fleet(self):
        """A shared rate limit that is never reached, beside a script as small as one can be."""
        if not self.redis:
            return []
        url, count = f"{self.plain}/1k.json", self.count(20000)
        limited = [self.ours("chain-fleet", url, count, in_flight, "--redis", self.redis) for in_flight in ("1", "64")]
        one, many = limited
        one.label, many.label = "chain-fleet, sequential", "chain-fleet, 64 in flight"
        return [
            Scenario(
                "A rate limit shared through Redis: a check for each call",
                [self.raw("raw_redis", self.redis, count, "1"), self.ours("chain", url, count, "1"), *limited],
                [
                    Target("sequential check and call / hiredis alone, calls/s", one.label, ["raw_redis"], "rate"),
                    Target("sequential check and call / hiredis alone, CPU", one.label, ["raw_redis"], "cpu_us"),
                    Target("64 in flight / hiredis alone, calls/s", many.label, ["raw_redis"], "rate", at_least=1),
                ],
                turns=1 if self.is_quick else 3,
            )
        ]

    def streams(self):
        url = f"http://127.0.0.1:{self.streams_port}/"
        count = "1000" if self.is_quick else "10000"
        return Scenario(
            f"{count} open streamed responses",
            [self.ours("streams", url, count, "200")],
            [Target("memory for each stream in KB", "streams", [], "stream_kb", at_most=16)],
            columns=["stream_kb", "threads", "rss_mb"],
            most_rounds=1,
        )

    def events(self):
        url = f"http://127.0.0.1:{self.events_port}"
        count = self.count(3_000_000)
        blocks = self.ours("events", f"{url}/blocks", count, "1")
        chunks = self.ours("events", f"{url}/chunks", count, "1")
        blocks.label, chunks.label = "events in blocks", "each event a chunk"
        return Scenario(
            "Server-sent events of 28 bytes by the whole client",
            [blocks, chunks],
            [
                Target(f"{program.label}: events/s on one core (1 s / CPU per event)", program.label, [],
                       "events_per_core", at_least=200_000)
                for program in (blocks, chunks)
            ],
            columns=["events", "event_cpu_us", "events_per_core", "rss_mb"],
        )

    def echo(self, size_text, size, full, least):
        url, clients = f"127.0.0.1:{self.echo_port}", f"{self.root}/Benchmarks/websocket/echo_client"
        counted = [str(max(2, int(self.count(full)))), str(size)]
        return Scenario(
            f"WebSocket echo of {size_text}, sequential",
            [
                self.ours("echo", f"http://{url}", *counted),
                self.ours("echo-executor", f"http://{url}", *counted),
                Program("Python websockets", [self.python, f"{clients}.py", f"ws://{url}", *counted]),
                Program("Node, built in", ["node", "--experimental-websocket", f"{clients}.mjs", f"ws://{url}",
                                           *counted]),
            ],
            [
                Target("echo / Python, messages/s", "echo", ["Python websockets"], "rate", at_least=least.get("Python")),
                Target("echo / Node, messages/s", "echo", ["Node, built in"], "rate", at_least=least.get("Node")),
            ],
            columns=["messages", "echoed", "message_cpu_us", "rss_mb"],
        )

    def sockets(self):
        count = "500" if self.is_quick else "5000"
        return Scenario(
            f"{count} idle WebSockets",
            [self.ours("sockets", f"http://127.0.0.1:{self.echo_port}", count, "100")],
            [Target("memory for each socket in KB", "sockets", [], "stream_kb", at_most=20)],
            columns=["stream_kb", "threads", "rss_mb"],
            most_rounds=1,
        )

    def event_parser(self):
        modes = {"event-parser-long": (3000, 1000), "event-parser-tiny": (500, 150)}
        return Scenario(
            "Server-sent events by the parser alone",
            [self.ours(mode, "memory", self.count(count), "1") for mode, (count, _) in modes.items()],
            [Target(f"{mode}, MB per second of CPU", mode, [], "parsed", at_least=least)
             for mode, (_, least) in modes.items()],
            columns=["parsed", "events", "rss_mb"],
        )
