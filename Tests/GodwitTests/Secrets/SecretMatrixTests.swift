import Godwit
import GodwitTesting
import Synchronization
import TestSupport
import Testing

@Suite("S6 a secret that was used appears nowhere", .timeLimit(.minutes(15)))
struct SecretMatrixTests {
    /// How a secret gets into a call.
    enum Kind: String, CaseIterable, Sendable {
        case bearer, basic, field, customField, queryItem, provided, tokens, challenge, cookie, ownField, ownQuery,
            form, json, pair,
            variables, multipart, compressed
    }

    enum Way: String, CaseIterable, Sendable {
        case refuse, fields, plain, wrong, wrongLines, wrongElements, wrongEvents, typed, moved, events, socket
    }

    private static let secret = SecretEcho.secret
    private struct Count: Decodable { let count: Int }

    private final class Texts: Sendable {
        private let all = Mutex<[(String, String)]>([])
        var values: [(String, String)] { all.withLock(\.self) }
        func add(_ writer: String, _ text: String) { all.withLock { $0.append((writer, text)) } }
    }

    private func configure(_ kind: Kind, _ configuration: inout ClientConfiguration) {
        let secret = Self.secret
        switch kind {
        case .bearer: configuration.authentication = .credential(.bearer(secret))
        case .basic: configuration.authentication = .credential(.basic(user: "ann", password: secret))
        case .field: configuration.authentication = .credential(.apiKey(secret, field: "X-API-Key"))
        case .customField: configuration.authentication = .credential(.apiKey(secret, field: "X-Mine"))
        case .queryItem: configuration.authentication = .credential(.apiKey(secret, queryItem: "appid"))
        case .provided: configuration.authentication = .credential(.provided { .bearer(secret) })
        case .tokens:
            let token = AccessToken(access: "access", refresh: secret)
            let refreshed = AccessToken(access: secret, refresh: "other-T0KEN")
            configuration.authentication = .credential(
                .tokens(TokenRefresher(store: MemoryTokenStore(token)) { _ in refreshed }))
        case .challenge:
            configuration.challenges = Challenges { _ in PasswordCredential(user: "ann", password: secret) }
        case .cookie: configuration.defaultFields = [.cookie: "theme=dark; sid=\(secret)"]
        case .ownField: configuration.defaultFields = ["X-Session-Token": secret]
        case .compressed: configuration.compression = .gzip(minimumSize: 1)
        case .ownQuery, .form, .json, .pair, .variables, .multipart: break
        }
    }

    private func endpoint<Value>(_ kind: Kind, _ endpoint: (RequestBody?, QueryItems) -> Endpoint<Value>) -> Endpoint<
        Value
    > {
        switch kind {
        case .ownQuery: endpoint(nil, ["access_token": Self.secret])
        case .form: endpoint(.form(["password": Self.secret]), [:])
        case .json, .compressed: endpoint(.json(["user": ["password": Self.secret]]), [:])
        case .pair: endpoint(.json([["name": "password", "value": Self.secret]]), [:])
        case .variables:
            endpoint(
                .json(["query": "mutation { login(password: \"\(Self.secret)\") { id } }"]),
                ["variables": "{\"password\":\"\(Self.secret)\"}"])
        case .multipart: endpoint(.multipart { $0.field("password", Self.secret) }, [:])
        default: endpoint(nil, [:])
        }
    }

    private func call(_ way: Way, _ kind: Kind, _ api: APIClient) async throws(NetworkError) {
        let path: EndpointPath = "\(way.rawValue)/x"
        switch way {
        case .wrong: _ = try await api.send(endpoint(kind) { Endpoint<Count>.post(path, query: $1, body: $0) })
        case .wrongLines:
            let stream = api.stream(endpoint(kind) { Endpoint<Count>.post("wrong/x", query: $1, body: $0) })
            for try await _ in stream.jsonLines(of: Count.self) {}
        case .wrongElements:
            let stream = api.stream(endpoint(kind) { Endpoint<Count>.post("elements/x", query: $1, body: $0) })
            for try await _ in stream.elements(of: Count.self) {}
        case .wrongEvents:
            let events = api.events(endpoint(kind) { Endpoint<Count>.post("counts/x", query: $1, body: $0) })
            for try await _ in events.decoded(as: Count.self) {}
        case .events:
            let endpoint = endpoint(kind) { Endpoint<Count>.post(path, query: $1, body: $0) }
            for try await _ in api.stream(endpoint).lines {}
            for try await _ in api.events(endpoint) {}
        case .socket:
            let socket = try await api.webSocket(
                "socket/x", query: kind == .ownQuery ? ["access_token": Self.secret] : [:])
            while true { _ = try await socket.receive() }
        default: try await api.send(endpoint(kind) { Endpoint<Void>.post(path, query: $1, body: $0) })
        }
    }

    private func texts(of value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return "\(value) \(String(reflecting: value)) \(dumped)"
    }

    private func note(_ error: NetworkError, _ texts: Texts) {
        texts.add("description", error.description)
        texts.add("userMessage", error.userMessage ?? "")
        texts.add(
            "localized", "\(error.localizedDescription) \(error.failureReason ?? "") \(error.recoverySuggestion ?? "")")
        texts.add("debug", self.texts(of: error))
        texts.add("kind", self.texts(of: error.kind))
        texts.add("problem", self.texts(of: error.problem as Any))
        texts.add("underlying", self.texts(of: error.underlying as Any))
        texts.add("request", self.texts(of: error.request as Any))
        texts.add("curl", error.request?.curlCommand ?? "")
    }

    private func runs(_ kind: Kind, _ way: Way, level: LogLevel, _ texts: Texts) async throws {
        let echo = try await SecretEcho(asks: kind == .challenge)
        let folder = TemporaryFolder()
        var options = HAROptions()
        options.bodyLimit = 1 << 20
        let recorder = HARRecorder(options: options)
        let outer = HARRecorder(options: options)
        let cassette = way == .socket ? nil : try Cassette(at: folder.url.appending(path: "c.json"), mode: .record)
        let api = APIClient(baseURL: echo.server.url) {
            $0.logging.level = level
            $0.logging.destination = { texts.add("log \(level)", $0) }
            $0.inspector = .events { event in
                let json = try? JSONEncoder().encode(event)
                texts.add("inspector", json.map { String(decoding: $0, as: UTF8.self) } ?? "")
            }
            $0.retry.maximumAttempts = 1
            $0.recorder = recorder
            $0.middleware.append(outer)
            if let cassette { $0.attemptMiddleware.append(cassette) }
            configure(kind, &$0)
        }
        do throws(NetworkError) {
            try await call(way, kind, api)
        } catch {
            note(error, texts)
        }
        texts.add("archive", String(decoding: try recorder.data(), as: UTF8.self))
        texts.add("archive of calls", String(decoding: try outer.data(), as: UTF8.self))
        if cassette != nil { texts.add("cassette", (try? folder.read("c.json")) ?? "") }
        await echo.server.stop()
    }

    @Test(
        "S6 no writer shows it, whatever a server repeats", arguments: Kind.allCases, Way.allCases)
    func matrix(_ kind: Kind, _ way: Way) async throws {
        // A handshake has no body, and the password of a challenge is only sent if a server asks.
        if way == .socket, [.form, .json, .pair, .variables, .multipart, .compressed, .challenge].contains(kind) {
            return
        }
        let texts = Texts()
        for level in [LogLevel.basic, .bodies] { try await runs(kind, way, level: level, texts) }
        #expect(!texts.values.isEmpty)
        for (writer, text) in texts.values {
            for form in SecretEcho.forms {
                #expect(!text.contains(form), "\(kind) \(way): \(writer) has \(form): \(text)")
            }
        }
    }
}
