import GodwitCore
import GodwitTesting
import Synchronization

/// A server with several users that notes as whom each request came, and answers when the test says so.
final class AccountServer: HTTPTransport {
    /// What one request said of its sender.
    struct Sighting: Sendable {
        let call: String
        let path: String
        let token: String?
        let cookie: String?
    }

    private struct Pending: Sendable {
        let request: HTTPRequest
        let answer: UnsafeContinuation<Void, Never>
    }

    private struct State: Sendable {
        var generator: SeededGenerator
        var isOpen = false
        var pending: [Pending] = []
        var sightings: [Sighting] = []
        var issued = 0
        var refused: Set<String> = []
        var failed: Set<String> = []
    }

    private let state: Mutex<State>

    init(seed: UInt64) {
        state = Mutex(State(generator: SeededGenerator(seed: seed)))
    }

    var sightings: [Sighting] { state.withLock { $0.sightings } }

    /// Answers one of the requests that wait, whichever comes.
    func answerOne() {
        let next = state.withLock { state -> Pending? in
            guard let index = state.pending.indices.randomElement(using: &state.generator) else { return nil }
            return state.pending.remove(at: index)
        }
        next?.answer.resume()
    }

    /// Answers all waiting requests, and later ones immediately.
    func open() {
        let all = state.withLock { state -> [Pending] in
            state.isOpen = true
            defer { state.pending = [] }
            return state.pending
        }
        for pending in all { pending.answer.resume() }
    }

    func newToken(for user: String) -> AccessToken {
        let number = state.withLock { state in
            state.issued += 1
            return state.issued
        }
        return AccessToken(access: "\(user).\(number)", refresh: user)
    }

    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        let isRefresh = request.url.path == "/refresh"
        let sighting = Sighting(
            call: isRefresh ? "" : request.fields["X-Request-ID"] ?? "", path: request.url.path,
            token: isRefresh ? try await request.body?.text() : Self.user(in: request),
            cookie: Self.cookie(in: request))
        state.withLock { $0.sightings.append(sighting) }
        await withUnsafeContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.pending.append(Pending(request: request, answer: continuation)) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
        return try await answer(request, sighting)
    }

    private func answer(_ request: HTTPRequest, _ sighting: Sighting) async throws(NetworkError) -> HTTPResponse {
        switch request.url.path {
        case "/login":
            let user = request.fields["X-User"] ?? ""
            return .reply(to: request, 200, #"{"user":"\#(user)"}"#, [.setCookie: "session=\(user); Path=/"])
        case "/refresh":
            let user = try await request.body?.text() ?? ""
            guard chance(of: 8) else { return .reply(to: request, 200, newToken(for: user).access) }
            return .reply(to: request, 400, #"{"error":"invalid_grant"}"#)
        default: return resource(request, sighting)
        }
    }

    private func resource(_ request: HTTPRequest, _ sighting: Sighting) -> HTTPResponse {
        let token = request.fields[.authorization] ?? ""
        guard let user = sighting.token, !isRefused(token) else {
            return .reply(to: request, 401, #"{"user":"nobody"}"#, [.cacheControl: "max-age=60"])
        }
        if request.url.path == "/flaky", state.withLock({ $0.failed.insert(sighting.call).inserted }) {
            return .reply(to: request, 503, "", [.setCookie: "session=\(user); Path=/"])
        }
        let control = ["max-age=60", "max-age=0, stale-while-revalidate=60", "no-cache"]
        let fields: HTTPFields = [
            .cacheControl: state.withLock { control.randomElement(using: &$0.generator) } ?? "",
            .etag: #""\#(user)""#, .setCookie: "session=\(user); Path=/",
        ]
        if request.fields[.ifNoneMatch] == #""\#(user)""# { return .reply(to: request, 304, "", fields) }
        return .reply(to: request, 200, #"{"user":"\#(user)"}"#, fields)
    }

    /// Some tokens stop working; one that was refused stays so.
    private func isRefused(_ token: String) -> Bool {
        let isNew = chance(of: 5)
        return state.withLock { state in
            if isNew { state.refused.insert(token) }
            return state.refused.contains(token)
        }
    }

    private func chance(of sides: Int) -> Bool {
        state.withLock { Int.random(in: 0..<sides, using: &$0.generator) == 0 }
    }

    /// Of `Bearer ann.3` and `Basic …`, the user.
    private static func user(in request: HTTPRequest) -> String? {
        guard let field = request.fields[.authorization] else { return nil }
        let value = field.split(separator: " ").last.map(String.init) ?? ""
        if field.hasPrefix("Basic "), let data = Data(base64Encoded: value) {
            return String(decoding: data, as: UTF8.self).split(separator: ":").first.map(String.init)
        }
        return value.split(separator: ".").first.map(String.init)
    }

    private static func cookie(in request: HTTPRequest) -> String? {
        let pairs = request.fields[.cookie]?.split(separator: ";") ?? []
        return pairs.compactMap { $0.split(separator: "=").last.map(String.init) }.first
    }
}

/// A clock on which nothing takes time: a sleep lets others go first.
struct YieldingClock: Clock {
    let now = ContinuousClock.now
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        for _ in 0..<3 { await Task.yield() }
        try Task.checkCancellation()
    }
}
