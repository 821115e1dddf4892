import BenchKit
import Godwit

/// WebSockets with the complete default client.
enum Sockets {
    /// Sends messages over one WebSocket, each once its echo has come: the last argument is their size in bytes.
    static func echo(_ options: BenchOptions) async throws {
        let transport = try Workloads.transport(options)
        let message = WebSocketMessage.binary(Data(repeating: 120, count: options.inFlight))
        let run: @Sendable () async throws -> Void = {
            let socket = try await APIClient(baseURL: options.url, transport: transport).webSocket("") {
                $0.messageLimit = max(options.inFlight, 1 << 20)
            }
            let start = Measurement()
            var totals = Totals()
            for _ in 0..<options.count {
                try await socket.send(message)
                totals.add(.success(try await size(of: socket.receive())))
            }
            start.report(options.mode, totals)
            await socket.close()
        }
        if options.mode == "echo-executor" {
            try await withTaskExecutorPreference(try Workloads.eventLoop(of: transport)) { try await run() }
        } else {
            try await run()
        }
        await transport.shutdown(.cancelling)
    }

    /// Opens WebSockets, each with a task that waits for a message, and reports what an idle one costs; then a message
    /// to each shows that it lives.
    static func idle(_ options: BenchOptions) async throws {
        ProcessLimits.raiseOpenFiles()
        let transport = try Workloads.transport(options)
        let api = APIClient(baseURL: options.url, transport: transport)
        let first = try await open(100, options, api)
        let memoryBefore = ProcessStatus.value(of: "VmRSS")
        let start = Measurement()
        let sockets = try await open(options.count, options, api)
        let totals = await withTaskGroup(of: Bool.self) { group in
            for socket in sockets {
                group.addTask { await (try? socket.receive()) != nil }
            }
            // The tasks are part of the cost. Each has run once all messages have arrived.
            let memory = ProcessStatus.value(of: "VmRSS") - memoryBefore
            for socket in sockets { try? await socket.send(.text("ping")) }
            var totals = Totals()
            for await isAlive in group { totals.add(isAlive ? .success(4) : .failure(CancellationError())) }
            return (totals, memory)
        }
        start.report(
            "sockets", totals.0,
            extras: [
                ("bytes_per_stream", totals.1 * 1024 / options.count),
                ("threads", ProcessStatus.value(of: "Threads")),
            ])
        for socket in first + sockets { await socket.close() }
        await transport.shutdown(.cancelling)
    }

    private static func open(
        _ count: Int, _ options: BenchOptions, _ api: APIClient
    ) async throws -> [WebSocket] {
        var sockets: [WebSocket] = []
        while sockets.count < count {
            let batch = min(options.inFlight, count - sockets.count)
            sockets += try await withThrowingTaskGroup(of: WebSocket.self) { group in
                for _ in 0..<batch {
                    group.addTask { try await api.webSocket("") }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        return sockets
    }

    private static func size(of message: WebSocketMessage) -> Int {
        switch message {
        case .binary(let data): data.count
        case .text(let text): text.utf8.count
        }
    }
}
