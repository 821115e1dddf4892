import GodwitCore
import GodwitTesting
import TestSupport
import Testing

@Suite("M3 G4 a HAR file that is written while recording", .timeLimit(.minutes(15)))
struct HARFileTests {
    private let folder = TemporaryFolder()
    private let diagnostics = Diagnostics()
    private var file: URL { folder.url.appending(path: "a.har") }

    private func recorder(_ change: (inout HAROptions) -> Void = { _ in }) -> HARRecorder {
        var options = HAROptions()
        change(&options)
        return HARRecorder(file: file, options: options, diagnostics: diagnostics)
    }

    private func send(_ numbers: ClosedRange<Int>, to recorder: HARRecorder) async throws {
        let chain = Chain([recorder], over: ScriptedTransport())
        for number in numbers { _ = try await chain.send(HTTPRequest(url: try HTTPURL("https://a.com/\(number)"))) }
    }

    /// The paths of the entries, read strictly.
    private func paths() throws -> [String] {
        try JSONDecoder().decode(Archive.self, from: Data(contentsOf: file)).log.entries.map {
            String($0.request.url.dropFirst("https://a.com/".count))
        }
    }

    @Test("M3 G4 the file keeps every call of many tasks, readable only by its owner; memory keeps the last ones")
    func all() async throws {
        let recorder = recorder { $0.entryLimit = 10 }
        let chain = Chain([recorder], over: ScriptedTransport())
        try await (0..<400).concurrentMap(limit: 8) { number in
            _ = try await chain.send(HTTPRequest(url: try HTTPURL("https://a.com/\(number)")))
        }.forEach { _ in }
        try recorder.flush()
        #expect(try Set(paths()).count == 400 && paths().count == 400)
        #expect(recorder.count == 10)
        #expect(try folder.mode(of: "a.har") == 0o600)
        #expect(try folder.names == ["a.har"])
        #expect(diagnostics.recent.isEmpty)
    }

    @Test("M3 G4 a recorder writes its last entries at its end")
    func end() async throws {
        var recorder: HARRecorder? = recorder()
        try await send(1...3, to: recorder ?? HARRecorder())
        recorder = nil
        #expect(try paths() == ["1", "2", "3"])
    }

    @Test("M3 G4 a stream in progress is in the file after a flush; its entry stays when it ends, with its size")
    func streamed() async throws {
        let recorder = recorder { $0.entryLimit = 1 }
        let arriving = ArrivingBody()
        let events = Collected<@Sendable (TransferEvent) -> Void>()
        let transport = ScriptedTransport { request throws(NetworkError) in
            if let onEvent = request.options.onEvent { events.append(onEvent) }
            return HTTPResponse(head: .init(status: .ok), body: arriving.take(), request: request)
        }
        let response = try await Chain([recorder], over: transport)
            .send(HTTPRequest(url: try HTTPURL("https://a.com/stream")))
        try recorder.flush()
        #expect(try paths() == ["stream"])
        try await send(1...2, to: recorder)
        try recorder.flush()
        // The unfinished one is still the last.
        #expect(try paths() == ["1", "2", "stream"])
        arriving.finish()
        let tell = try #require(events.values.first)
        tell(.received(5, total: nil))
        tell(.finished(TransferMetrics()))
        try await send(3...3, to: recorder)
        try recorder.flush()
        #expect(try paths() == ["1", "2", "stream", "3"])
        let entries = try JSONDecoder().decode(Archive.self, from: Data(contentsOf: file)).log.entries
        #expect(entries[2].response.content.size == 5)
        #expect(response.head.status == .ok)
    }

    @Test("M3 G4 a shorter end than before leaves a valid file")
    func shorter() async throws {
        let recorder = recorder()
        let waiting = Chain([recorder], over: MockTransport { $0.any("*").reply(.hang) })
        let long = String(repeating: "x", count: 5000)
        let request = HTTPRequest(url: try HTTPURL("https://a.com/\(long)"))
        let call = Task { try? await waiting.send(request) }
        while recorder.count == 0 { try await Task.sleep(for: .milliseconds(1)) }
        try recorder.flush()
        #expect(try paths() == [long])
        try await send(1...1, to: recorder)
        // Appended in the background, in place of the unfinished one.
        while (try? paths()) != ["1"] { try await Task.sleep(for: .milliseconds(1)) }
        try recorder.flush()
        #expect(try paths() == ["1", long])
        call.cancel()
        _ = await call.value
        try recorder.flush()
        #expect(try paths() == ["1", long])
        recorder.removeAll()
        try await send(2...2, to: recorder)
        try recorder.flush()
        #expect(try paths() == ["2"])
    }

    @Test("M3 G4 a body that is dropped before its end is recorded when the exchange is released")
    func dropped() async throws {
        let recorder = recorder()
        var response: HTTPResponse? = try await Chain(
            [recorder],
            over: ScriptedTransport { request in
                HTTPResponse(head: .init(status: .ok), body: ArrivingBody().take(), request: request)
            }
        ).send(HTTPRequest(url: try HTTPURL("https://a.com/1")))
        #expect(response?.head.status == .ok)
        response = nil
        while (try? paths()) != ["1"] { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test("M3 G4 at its limit the file stays readable, and one report says so")
    func limit() async throws {
        let recorder = recorder { $0.fileLimit = 2000 }
        try await send(1...20, to: recorder)
        while diagnostics.recent.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        try await send(21...40, to: recorder)
        #expect(throws: NetworkError.self) { try recorder.flush() }
        #expect(diagnostics.recent.count == 1)
        #expect(diagnostics.recent.first?.detail.contains("limit of 2000 bytes") == true)
        #expect(try Data(contentsOf: file).count <= 2000)
        _ = try paths()
    }

    @Test("M3 G4 a file that was removed is made anew; what could not be written comes with the next entry")
    func removed() async throws {
        let recorder = recorder()
        try await send(1...1, to: recorder)
        try recorder.flush()
        try FileManager.default.removeItem(at: file)
        try await send(2...2, to: recorder)
        try recorder.flush()
        #expect(try paths() == ["2"])

        let inside = folder.url.appending(path: "later/b.har")
        let late = HARRecorder(file: inside, diagnostics: diagnostics)
        try await send(3...3, to: late)
        #expect(throws: NetworkError.self) { try late.flush() }
        try FileManager.default.createDirectory(
            at: inside.deletingLastPathComponent(), withIntermediateDirectories: false)
        try await send(4...4, to: late)
        try late.flush()
        let text = try folder.read("later/b.har")
        #expect(text.contains("https://a.com/3") && text.contains("https://a.com/4"))
    }

    @Test("M3 G4 recorders of one file add to it, whichever is first; what one shows of a stream, no other removes")
    func shared() async throws {
        let (first, second) = (recorder(), recorder())
        try await send(1...1, to: first)
        try first.flush()
        try await send(2...2, to: second)
        try second.flush()
        let call = try hangingCall("first", to: first)
        while first.count < 2 { await Task.yield() }
        try first.flush()
        #expect(try paths() == ["1", "2", "first"])
        let other = try hangingCall("second", to: second)
        while second.count < 2 { await Task.yield() }
        try second.flush()
        #expect(try paths() == ["1", "2", "first", "second"])
        try await send(3...3, to: second)
        try second.flush()
        #expect(try paths() == ["1", "2", "3", "first", "second"])
        call.cancel()
        _ = await call.value
        try first.flush()
        #expect(try paths() == ["1", "2", "3", "first", "second"])
        other.cancel()
        _ = await other.value
        try await send(4...4, to: first)
        try first.flush()
        try second.flush()
        #expect(try paths().sorted() == ["1", "2", "3", "4", "first", "second"])
        #expect(try folder.names == ["a.har"])
        #expect(diagnostics.recent.isEmpty)
    }

    /// A call that waits for its response until it is canceled.
    private func hangingCall(_ path: String, to recorder: HARRecorder) throws -> Task<Void, Never> {
        let chain = Chain([recorder], over: MockTransport { $0.any("*").reply(.hang) })
        let request = HTTPRequest(url: try HTTPURL("https://a.com/\(path)"))
        return Task { _ = try? await chain.send(request) }
    }

    @Test("M3 G4 recorders that write one file at the same time lose nothing")
    func concurrent() async throws {
        let recorders = (0..<4).map { _ in recorder() }
        try await (0..<400).concurrentMap(limit: 8) { number in
            try await send(number...number, to: recorders[number % 4])
            if number % 10 < 4 { try recorders[number % 4].flush() }
        }.forEach { _ in }
        for recorder in recorders { try recorder.flush() }
        #expect(try Set(paths()).count == 400 && paths().count == 400)
        #expect(try folder.names == ["a.har"])
        #expect(diagnostics.recent.isEmpty)
    }

    @Test("M3 G4 a recorder replaces a file that none writes any longer")
    func replaced() async throws {
        for number in 1...2 {
            let recorder = recorder()
            try await send(number...number, to: recorder)
            try recorder.flush()
        }
        #expect(try paths() == ["2"])
    }

    @Test(
        "M3 G4 a file that another program replaced or changed is left alone, which is reported",
        arguments: [false, true])
    func foreign(isReplaced: Bool) async throws {
        let recorder = recorder()
        try await send(1...1, to: recorder)
        try recorder.flush()
        try Data("mine".utf8).write(to: file, options: isReplaced ? .atomic : [])
        try await send(2...2, to: recorder)
        while diagnostics.recent.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        #expect(diagnostics.recent.first?.detail.contains("by another program") == true)
        #expect(try folder.read("a.har") == "mine")
    }

    @Test("M3 G4 20,000 calls at full speed lose nothing, and memory keeps as many as the limit allows")
    func fast() async throws {
        let recorder = recorder { $0.entryLimit = 100 }
        let chain = Chain([recorder], over: ScriptedTransport())
        try await (0..<20_000).concurrentMap(limit: 16) { number in
            _ = try await chain.send(HTTPRequest(url: try HTTPURL("https://a.com/\(number)")))
        }.forEach { _ in }
        try recorder.flush()
        #expect(try Set(paths()).count == 20_000 && paths().count == 20_000)
        #expect(recorder.count == 100)
        #expect(diagnostics.recent.isEmpty)
    }
}
