import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

@Suite("Contract: shutdown", .timeLimit(.minutes(15)))
struct ShutdownTests {
    @Test("T9 finishing waits for what is under way", arguments: Subject.allCases)
    func finishing(_ subject: Subject) async throws {
        let (gate, opener) = AsyncStream<Data>.makeStream()
        let server = try await MockServer { $0.any("*").reply(.stream(once: gate)) }
        let transport = try subject.make()
        let exchange = Task { [url = server.url] in try await text(of: transport.get(url)) }
        try await server.waitForRequests()
        let isDown = Watched(false)
        let shutdown = Task {
            await transport.shutdown(.finishing)
            isDown.update { $0 = true }
        }
        try await Task.sleep(for: .milliseconds(100))
        #expect(!isDown.value)
        let late = await transport.failure(of: .get(server.url))
        #expect(late?.kind == .shutdown)
        opener.yield(Data("in time".utf8))
        opener.finish()
        #expect(try await exchange.value == "in time")
        await shutdown.value
        try await server.waitUntilConnectionsClose()
    }

    @Test("T9 cancelling ends what is under way: requests, streams and those that wait", arguments: Subject.allCases)
    func cancelling(_ subject: Subject) async throws {
        let server = try await MockServer {
            $0.get("/stream").reply(.endlessChunks(every: .milliseconds(5)))
            $0.any("*").reply(.hang)
        }
        let transport = try subject.make { $0.connectionsPerHost = 2 }
        let stream = try await transport.get(server.at("/stream"), .streamed)
        let reading = Task {
            await failure { () async throws(NetworkError) in for try await _ in stream.body {} }?.kind
        }
        let url = server.url
        let requests = (0..<3).map { _ in Task { await transport.failure(of: .get(url)) } }
        while server.requestCount < 2 { try await Task.sleep(for: .milliseconds(5)) }
        await transport.shutdown(.cancelling)
        for request in requests { #expect(await request.value?.kind == .cancelled) }
        #expect(await reading.value == .cancelled)
        try await server.waitUntilConnectionsClose()
    }

    @Test(
        "T9 after a shutdown, a request is .shutdown and says so", arguments: Subject.allCases,
        [ShutdownMode.finishing, .cancelling])
    func afterwards(_ subject: Subject, _ mode: ShutdownMode) async throws {
        let server = try await MockServer { $0.any("*").reply(.text("ok")) }
        let transport = try subject.make { $0.eventLoops = 2 }
        _ = try await transport.get(server.url)
        await transport.shutdown(mode)
        await transport.shutdown(.cancelling)
        await transport.shutdown(.finishing)
        let error = await transport.failure(of: .get(server.url))
        #expect(error?.kind == .shutdown)
        #expect(error?.description.contains("was shut down") == true)
        #expect(error?.request?.url == server.url)
        try await server.waitUntilConnectionsClose()
    }

    @Test("T9 a shutdown asked for twice at once waits in both places", arguments: Subject.allCases)
    func twice(_ subject: Subject) async throws {
        let server = try await MockServer { $0.any("*").reply(.hang) }
        let transport = try subject.make()
        let request = Task { [url = server.url] in await transport.failure(of: .get(url)) }
        try await server.waitForRequests()
        async let finishing: Void = transport.shutdown(.finishing)
        async let cancelling: Void = transport.shutdown(.cancelling)
        _ = await (finishing, cancelling)
        #expect(await request.value?.kind == .cancelled)
    }

    @Test("T9 a shutdown in the middle of many requests answers every one", arguments: Subject.allCases)
    func busy(_ subject: Subject) async throws {
        let server = try await MockServer { $0.any("*").reply(.text("ok")) }
        for mode in [ShutdownMode.finishing, .cancelling] {
            let transport = try subject.make()
            let url = server.url
            let requests = (0..<100).map { _ in Task { await transport.failure(of: .get(url))?.kind } }
            try await Task.sleep(for: .milliseconds(3))
            await transport.shutdown(mode)
            for request in requests {
                let kind = await request.value
                #expect(kind == nil || kind == .shutdown || (mode == .cancelling && kind == .cancelled))
            }
        }
    }

    @Test("T9 a released transport leaves no thread and no descriptor", arguments: Subject.allCases)
    func deinitialised(_ subject: Subject) async throws {
        await #expect(processExitsWith: .success) { [subject] in
            let server = try await MockServer { $0.any("*").reply(.text("ok")) }
            // The first one makes the system's libraries open what they keep open; one watches the network path.
            _ = SystemPathMonitor.shared
            try await useOnce(subject, server, shutdown: nil)
            try await server.waitUntilConnectionsClose()
            let before = try await Usage.settled(to: Usage.now())
            for mode in [nil, ShutdownMode.finishing, .cancelling, nil, nil] {
                try await useOnce(subject, server, shutdown: mode)
            }
            try await server.waitUntilConnectionsClose()
            let after = try await Usage.settled(to: before)
            #expect(after.descriptors <= before.descriptors, "\(before) \(after)")
            #expect(after.threads <= before.threads, "\(before) \(after)")
        }
    }

    @Test(
        "T9 a body that is being read keeps its exchange after the transport is released",
        arguments: Subject.allCases)
    func readerOutlives(_ subject: Subject) async throws {
        let data = Samples.data(5_000_000)
        let server = try await MockServer { $0.any("*").reply(.bytes(data)) }
        let response = try await subject.make { $0.streamBuffer = 32 << 10 }.get(server.url, .streamed)
        #expect(try await bytes(of: response) == data)
        try await server.waitUntilConnectionsClose()
    }
}

/// Makes a transport, uses it in several ways, and lets go of it.
private func useOnce(_ subject: Subject, _ server: MockServer, shutdown mode: ShutdownMode?) async throws {
    let transport = try subject.make { $0.eventLoops = 2 }
    for _ in 0..<4 { _ = try await transport.get(server.url) }
    for try await _ in try await transport.get(server.url, .streamed).body { break }
    if let mode { await transport.shutdown(mode) }
}
