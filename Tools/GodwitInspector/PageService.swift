import GodwitCore
import GodwitSupport
import GodwitTesting
import Synchronization

/// Answers the requests of browsers and programs.
final class PageService: Sendable {
    /// In the URL for browsers.
    let token = PageService.randomText()
    /// For programs only; see ``PageAddress``.
    let secret = PageService.randomText()
    /// Where the page listens; 0 until then.
    let port = Atomic<UInt16>(0)
    private let store: CallStore
    private let commands = CommandQueue()

    init(store: CallStore) {
        self.store = store
    }

    private static func randomText() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in String(generator.next() | 1 << 63, radix: 36) }.joined()
    }

    func response(to request: MockRequest) async -> MockResponse {
        guard Self.isLocal(request) else { return Self.text("not a name of this machine", .badRequest) }
        if request.path == "/proof" { return proof(for: request) }
        let parts = request.path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).dropFirst()
        let words = (parts.first ?? "").split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2, ConstantTime.areEqual(String(words[0]), token) else { return .status(.notFound) }
        return await response(to: request, at: String(words[1])).secured()
    }

    private func response(to request: MockRequest, at path: String) async -> MockResponse {
        switch ("\(request.method)", path) {
        case ("GET", "live"): return live(request)
        case ("GET", "commands"): return await command(for: request)
        case ("POST", "ingest"): return ingest(request)
        case ("POST", "command"): return send(request)
        case ("POST", "clear"):
            store.removeAll()
            return .status(.noContent)
        case ("GET", _) where path.hasPrefix("call/"): return details(String(path.dropFirst(5)))
        case ("GET", _): return PageFile(path)?.response ?? .status(.notFound)
        default: return .status(.notFound)
        }
    }

    // MARK: Programs

    /// Proves that this is the page: by the secret, and by the token for programs that have the URL for browsers.
    private func proof(for request: MockRequest) -> MockResponse {
        guard let nonce = request.queryValue("nonce"), (16...64).contains(nonce.utf8.count) else {
            return .status(.notFound)
        }
        let port = port.load(ordering: .relaxed)
        let answers = [secret, token].map { PageProof(secret: $0, port: port).answer(to: nonce) }
        return Self.text(answers.joined(separator: "\n"), .ok)
    }

    private func ingest(_ request: MockRequest) -> MockResponse {
        let dropped = request.queryValue("dropped").flatMap { Int($0) } ?? 0
        store.add(request.body, from: Self.program(request), dropped: dropped)
        return .status(.noContent)
    }

    private func command(for request: MockRequest) async -> MockResponse {
        guard let command = await commands.next(for: Self.program(request), within: .seconds(20)),
            let data = try? JSONModelEncoder().encode(command)
        else { return .status(.noContent) }
        return .bytes(data, contentType: "application/json")
    }

    private static func program(_ request: MockRequest) -> String {
        let name = (request.queryValue("program") ?? "").filter { !$0.isNewline }.prefix(60)
        let process = (request.queryValue("pid") ?? "").filter { $0.isASCII && $0.isNumber }.prefix(10)
        return "\(name.isEmpty ? "program" : name) (\(process))"
    }

    // MARK: Browsers

    private func live(_ request: MockRequest) -> MockResponse {
        let revision = request.queryValue("after").flatMap { UInt64($0) } ?? 0
        return MockResponse(
            fields: [.contentType: MediaType.eventStream.essence],
            body: .stream { [store] in LiveChanges(store: store, revision: revision) })
    }

    private func details(_ number: String) -> MockResponse {
        guard let data = UInt64(number).flatMap(store.details) else { return .status(.notFound) }
        return .bytes(data, contentType: "application/json")
    }

    /// A command for a program. Browsers send `Origin` with it, which must be the page's own.
    private func send(_ request: MockRequest) -> MockResponse {
        guard let command = try? JSONModelDecoder().decode(PageCommand.self, from: request.body),
            let program = request.queryValue("to")
        else { return .status(.badRequest) }
        commands.add(command, for: program)
        return .status(.accepted)
    }

    // MARK: Who may ask

    /// Whether the request names this machine: a name from elsewhere, resolved to 127.0.0.1, would let a foreign page in.
    private static func isLocal(_ request: MockRequest) -> Bool {
        guard let host = request.fields[.host] else { return false }
        let name = host.hasPrefix("[") ? host.prefix { $0 != "]" }.dropFirst() : host.prefix { $0 != ":" }
        guard ["127.0.0.1", "localhost", "::1"].contains(name.lowercased()) else { return false }
        return request.fields["Origin"].map { $0 == "http://\(host)" } ?? true
    }

    private static func text(_ text: String, _ status: HTTPStatus) -> MockResponse { .text(text, status: status) }
}

extension MockResponse {
    /// With the fields that keep the page on this machine: it loads and sends nothing elsewhere, and no page frames it.
    fileprivate func secured() -> MockResponse {
        var response = self
        response.fields["Content-Security-Policy"] =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data: blob:; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        response.fields["Referrer-Policy"] = "no-referrer"
        response.fields["X-Content-Type-Options"] = "nosniff"
        response.fields["Cross-Origin-Resource-Policy"] = "same-origin"
        response.fields["Cache-Control"] = "no-store"
        return response
    }
}

/// The changes of the store as server-sent events, a few per second: a slow browser gets fewer and larger ones.
private struct LiveChanges: AsyncSequence, AsyncIteratorProtocol, Sendable {
    typealias Element = Data

    let store: CallStore
    var revision: UInt64
    private var isFirst = true

    init(store: CallStore, revision: UInt64) {
        self.store = store
        self.revision = revision
    }

    func makeAsyncIterator() -> LiveChanges { self }

    mutating func next() async throws -> Data? {
        var changes = store.current(after: revision)
        if !isFirst {
            _ = try await store.changes(after: revision)
            // Collects what arrives together.
            try await Task.sleep(for: .milliseconds(50))
            changes = store.current(after: revision)
        }
        isFirst = false
        revision = changes.revision
        return Data("data: ".utf8) + changes.json + Data("\n\n".utf8)
    }
}
