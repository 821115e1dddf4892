import BenchKit
import Godwit

/// Many streamed responses open at once, each with a task that waits for its next chunk: what does an idle one cost?
struct OpenStreams {
    /// Opened before the memory is read for the first time, so that what every engine needs once is not counted.
    private static let warmUpCount = 100

    private enum Arrival {
        case firstChunk(bytes: Int)
        case secondChunk, failure
    }

    private let transport: any HTTPTransport
    private let request: HTTPRequest
    private let batchSize: Int
    private let source: AsyncStream<Arrival>.Continuation
    private var arrivals: AsyncStream<Arrival>.AsyncIterator
    private var asked = 0
    private var opened = 0
    private var alive = 0
    private var totals = Totals()

    init(_ transport: any HTTPTransport, _ options: BenchOptions) throws {
        self.transport = transport
        request = HTTPRequest(url: try HTTPURL(options.url), delivery: .streamed)
        batchSize = options.inFlight
        let (stream, source) = AsyncStream.makeStream(of: Arrival.self)
        self.source = source
        arrivals = stream.makeAsyncIterator()
    }

    /// Opens `count` streams, waits until each got a second chunk, which shows that it lives, and reports.
    mutating func measure(_ count: Int) async {
        ProcessLimits.raiseOpenFiles()
        await withTaskGroup(of: Void.self) { group in
            let start = Measurement()
            await open(Self.warmUpCount, in: &group)
            let memoryBefore = ProcessStatus.value(of: "VmRSS")
            await open(count, in: &group)
            while alive + totals.errors < asked { await takeArrival() }
            let memory = ProcessStatus.value(of: "VmRSS") - memoryBefore
            start.report(
                "streams", totals,
                extras: [
                    ("bytes_per_stream", memory * 1024 / count), ("threads", ProcessStatus.value(of: "Threads")),
                ])
            group.cancelAll()
        }
    }

    /// Opens more streams in batches, and waits for the first chunk of each.
    private mutating func open(_ count: Int, in group: inout TaskGroup<Void>) async {
        let target = asked + count
        while asked < target {
            for _ in 0..<min(batchSize, target - asked) {
                asked += 1
                group.addTask { [transport, request, source] in await Self.read(request, transport, source) }
            }
            while opened + totals.errors < asked { await takeArrival() }
        }
    }

    private mutating func takeArrival() async {
        switch await arrivals.next() {
        case .firstChunk(let bytes):
            opened += 1
            totals.add(.success(bytes))
        case .secondChunk: alive += 1
        case .failure: totals.add(.failure(CancellationError()))
        case nil: break
        }
    }

    /// Reads one response until it is canceled.
    private static func read(
        _ request: HTTPRequest, _ transport: any HTTPTransport, _ source: AsyncStream<Arrival>.Continuation
    ) async {
        var chunks = 0
        do {
            let response = try await transport.send(request)
            try EngineExchanges.expect(.ok, response)
            for try await chunk in response.body {
                chunks += 1
                if chunks == 1 { source.yield(.firstChunk(bytes: chunk.count)) }
                if chunks == 2 { source.yield(.secondChunk) }
            }
        } catch {}
        if chunks < 2 { source.yield(.failure) }
    }
}
