import Godwit
import GodwitSockets
import GodwitGraphQL
import GodwitTesting
import GodwitUI

extension Extreme {
    private static func client() async throws -> APIClient {
        APIClient(baseURL: try await server.get().url, preset: .ephemeral)
    }

    private static func download(_ configure: @Sendable (inout DownloadOptions) -> Void) async throws {
        let file = URL(filePath: "\(FuzzTarget.folder)/input")
        let download = try await client().download(Endpoint<Data>.get("file"), to: file) {
            $0.existingFile = .replace
            configure(&$0)
        }
        for await _ in download.progress {}
        _ = try await download.file
    }

    static let transfers: [Extreme] = [
        .integers("DownloadOptions.parallelRanges") { n in try await download { $0.parallelRanges = n } },
        .durations("DownloadOptions.progressInterval") { d in try await download { $0.progressInterval = d } },
        .bytes("TransferProgress.completed") { n in
            for total in [n, 0, nil] as [Int64?] {
                let progress = TransferProgress(completed: n, total: total, bytesPerSecond: Double(n))
                _ = (progress.fraction, progress.timeRemaining, "\(progress)")
            }
        },
        .bytes("TransferProgress.total") { n in
            let progress = TransferProgress(completed: 7, total: n, bytesPerSecond: 0.5)
            _ = (progress.fraction, progress.timeRemaining, "\(progress)")
        },
        .numbers("TransferProgress.bytesPerSecond") { x in
            let progress = TransferProgress(completed: 1, total: .max, bytesPerSecond: x)
            _ = (progress.fraction, progress.timeRemaining, "\(progress)")
        },
        .bytes("UploadOptions.chunkSize") { n in try await upload { $0.chunkSize = n } },
        .integers("UploadOptions.parallelParts") { n in try await upload { $0.parallelParts = n } },
        .durations("UploadOptions.progressInterval") { d in try await upload { $0.progressInterval = d } },
        .bytes("UploadParts.init(partSize:request:complete:abort:)") { n in
            let url = try await server.get().url
            let parts = UploadParts<Void>(
                partSize: n, request: { _ in HTTPRequest(method: .put, url: url) }, complete: { _ in }, abort: {})
            _ = try await client().upload(URL(filePath: #filePath), to: .parts(parts)).value
        },
        .bytes("MultipartForm.write(to:existingFile:limit:)") { n in
            var form = MultipartForm()
            form.field("a", "b")
            try await form.write(to: URL(filePath: "\(FuzzTarget.folder)/input"), existingFile: .replace, limit: n)
        },
    ]

    private static func upload(_ configure: @Sendable (inout UploadOptions) -> Void) async throws {
        let endpoint = Endpoint<Void>.post("upload")
        _ = try await client().upload(URL(filePath: #filePath), to: .resumable(endpoint, configure: configure)).value
    }

    static let streams: [Extreme] = [
        .integers("AsyncSequence.lines(limit:)") { n in
            for try await _ in try await client().stream(Endpoint<Void>.get("lines")).lines(limit: n) {}
        },
        .integers("ResponseStream.jsonLines(of:limit:)") { n in
            for try await _ in try await client().stream(Endpoint<Void>.get("lines")).jsonLines(of: Int.self, limit: n)
            {}
        },
        .integers("ResponseStream.elements(of:at:limit:)") { n in
            for try await _ in try await client().stream(Endpoint<Void>.get("json")).elements(
                of: Int.self, at: "items", limit: n)
            {}
        },
        .integers("EventSource.Options.eventLimit") { n in try await events { $0.eventLimit = n } },
        .integers("EventSource.Options.failureLimit") { n in try await events { $0.failureLimit = n } },
        .durations("EventSource.Options.idleTimeout") { d in try await events { $0.idleTimeout = d } },
        .durations("EventSource.Options.longestRetryAfter") { d in try await events { $0.longestRetryAfter = d } },
        .integers("EventSource.Options.statuses") { n in try await events { $0.statuses = [n] } },
        .integers("EventStreamParser.init(lastEventID:limit:)") { n in
            var parser = EventStreamParser(limit: n)
            parser.append(Data("data: a\n\n".utf8))
            while try parser.next() != nil {}
        },
        .durations("ServerSentEvent.retry") { d in
            let server = try await MockServer {
                $0.get("/").optional().reply(.events([ServerSentEvent(data: "a", retry: d)]))
            }
            let client = APIClient(baseURL: server.url, preset: .ephemeral)
            var count = 0
            for try await _ in client.events(Endpoint<Void>.get("/"), configure: { $0.failureLimit = 2 }) {
                count += 1
                if count > 2 { break }
            }
        },
        .integers("Paging.numbers(from:until:_:)") { n in
            let paging = Paging<[Int]>.numbers(from: n) { .get("lines", query: ["page": $0]) }
            for try await _ in try await client().pages(paging) {}
        },
        .integers("Paging.offsets(limit:_:)") { n in
            let paging = Paging<[Int]>.offsets(limit: n) { .get("lines", query: ["offset": $0]) }
            for try await _ in try await client().pages(paging) {}
        },
    ]

    private static func events(_ configure: @escaping @Sendable (inout EventSource.Options) -> Void) async throws {
        var count = 0
        for try await _ in try await client().events(Endpoint<Void>.get("events"), configure: configure) {
            count += 1
            if count > 3 { break }
        }
    }

    static let sockets: [Extreme] = [
        .integers("WebSocketCompression.clientWindowBits") { n in
            try await socket {
                $0.compression = .init(); $0.compression?.clientWindowBits = n
            }
        },
        .integers("WebSocketCompression.level") { n in
            try await socket {
                $0.compression = .init(); $0.compression?.level = n
            }
        },
        .integers("WebSocketCompression.serverWindowBits") { n in
            try await socket {
                $0.compression = .init(); $0.compression?.serverWindowBits = n
            }
        },
        .integers("WebSocketCompression.threshold") { n in
            try await socket {
                $0.compression = .init(); $0.compression?.threshold = n
            }
        },
        .durations("WebSocketKeepalive.interval") { d in try await socket { $0.keepalive = .init(interval: d) } },
        .durations("WebSocketKeepalive.timeout") { d in try await socket { $0.keepalive = .init(timeout: d) } },
        .durations("WebSocketOptions.closeTimeout") { d in try await socket { $0.closeTimeout = d } },
        .integers("WebSocketOptions.fragmentSize") { n in try await socket { $0.fragmentSize = n } },
        .integers("WebSocketOptions.messageLimit") { n in try await socket { $0.messageLimit = n } },
        .integers("WebSocketOptions.receiveBuffer") { n in try await socket { $0.receiveBuffer = n } },
        .integers("ProtocolUpgrade.messageLimit") { n in
            var request = HTTPRequest(url: try await server.get().url)
            var upgrade = ProtocolUpgrade(to: "websocket")
            upgrade.messageLimit = n
            request.options.upgrade = upgrade
            _ = try await client().send(request)
        },
        .durations("ReconnectOptions.longestRetryAfter") { d in try await reconnecting { $0.longestRetryAfter = d } },
        .integers("ReconnectOptions.outgoingLimit") { n in try await reconnecting { $0.outgoingLimit = n } },
        .durations("ReconnectOptions.settledAfter") { d in try await reconnecting { $0.settledAfter = d } },
        .integers("WebSocketCloseCode.init(rawValue:)") { n in
            _ = "\(WebSocketCloseCode(UInt16(truncatingIfNeeded: n)))"
        },
        .durations("GraphQLSubscriptionOptions.connectTimeout") { d in
            try await subscribe { $0.connectTimeout = d }
        },
        .durations("GraphQLSubscriptionOptions.longestRetryAfter") { d in
            try await subscribe { $0.longestRetryAfter = d }
        },
        .durations("GraphQLSubscriptionOptions.overflowTimeout") { d in
            try await subscribe { $0.overflowTimeout = d }
        },
        .integers("GraphQLSubscriptionOptions.bufferedBytes") { n in try await subscribe { $0.bufferedBytes = n } },
        .integers("GraphQLSubscriptionOptions.failureLimit") { n in try await subscribe { $0.failureLimit = n } },
        .durations("GraphQLSubscriptionOptions.idleTimeout") { d in try await subscribe { $0.idleTimeout = d } },
        .durations("GraphQLSubscriptionOptions.pingInterval") { d in try await subscribe { $0.pingInterval = d } },
        .durations("GraphQLSubscriptionOptions.pingTimeout") { d in try await subscribe { $0.pingTimeout = d } },
        .integers("GraphQLBatching.limit") { n in try await query { $0.batching = GraphQLBatching(limit: n) } },
        .durations("GraphQLBatching.window") { d in try await query { $0.batching = GraphQLBatching(window: d) } },
        .integers("GraphQLOptions.partLimit") { n in try await query { $0.partLimit = n } },
    ]

    private static func socket(_ configure: @Sendable (inout WebSocketOptions) -> Void) async throws {
        let socket = try await client().webSocket("socket", configure: configure)
        try await socket.send(.text(String(repeating: "tide ", count: 100)))
        _ = try await socket.receive()
        await socket.close()
    }

    private static func reconnecting(_ configure: (inout ReconnectOptions) -> Void) async throws {
        let socket = try await client().reconnectingWebSocket("socket") { configure(&$1) }
        try await socket.send(.text("tide"))
        for try await _ in socket.messages { break }
        await socket.close()
    }

    private static func query(_ configure: (inout GraphQLOptions) -> Void) async throws {
        let graphQL = GraphQLClient(try await client(), configure: configure)
        let operation = GraphQLOperation<JSONValue>.query(GraphQLDocument("{ a }"))
        _ = try await graphQL.send(operation)
    }

    private static func subscribe(_ configure: (inout GraphQLSubscriptionOptions) -> Void) async throws {
        let graphQL = GraphQLClient(try await client()) { configure(&$0.subscriptions) }
        let subscription = GraphQLSubscription<JSONValue>.subscription(GraphQLDocument("subscription { a }"))
        for try await _ in graphQL.subscribe(subscription) { break }
    }

    static let engine: [Extreme] = [
        .integers("SocketConfiguration.eventLoops") { n in try await engine { $0.eventLoops = n } },
        .integers("SocketConfiguration.maximumConnections") { n in try await engine { $0.maximumConnections = n } },
        .integers("SocketConfiguration.maximumConnectionsPerHost") { n in
            try await engine { $0.maximumConnectionsPerHost = n }
        },
        .integers("SocketConfiguration.maximumIdleConnections") { n in
            try await engine { $0.maximumIdleConnections = n }
        },
        .integers("SocketConfiguration.maximumStreamsPerConnection") { n in
            try await engine { $0.maximumStreamsPerConnection = n }
        },
        .integers("SocketConfiguration.streamBuffer") { n in try await engine { $0.streamBuffer = n } },
    ]

    private static func engine(_ configure: (inout SocketConfiguration) -> Void) async throws {
        let transport = try SocketTransport(configure)
        let client = APIClient(baseURL: try await server.get().url, transport: transport, preset: .ephemeral)
        _ = try? await client.send(Endpoint<JSONValue>.get("json"))
        for try await _ in client.stream(Endpoint<Void>.get("file")).bytes {}
        await transport.shutdown(.cancelling)
    }
}
