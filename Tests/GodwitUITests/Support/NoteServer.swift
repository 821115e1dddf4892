import GodwitCore
import GodwitTesting

/// What the tests of shared values read and change.
struct Note: Codable, Sendable, Identifiable, Equatable {
    let id: Int
    /// The user who sees it.
    var owner: String
    /// The mutations that were applied to it.
    var marks: Set<Int> = []
    /// Raised by the server with each change.
    var version = 1
}

/// A page of them.
struct NotePage: Codable, Sendable, CursorPage {
    let items: [Note]
    let nextCursor: String?
}

extension Endpoint {
    static func note(_ id: Int) -> Endpoint<Note> { .get("notes/\(id)") }
    static func notes(after cursor: String?) -> Endpoint<NotePage> { .get("notes", query: ["after": cursor]) }
    static func mark(_ id: Int, _ mark: Int) -> Endpoint<Note> { .patch("notes/\(id)", body: .json(["mark": mark])) }
    static func remove(_ id: Int) -> Endpoint<Void> { .delete("notes/\(id)") }
}

/// A server in the transport's place. Each request is executed, and then answered: at once, or when the test says so.
final class NoteServer: HTTPTransport {
    enum Answer: Sendable {
        case response(HTTPStatus, HTTPFields, Data)
        case failure(NetworkError.Kind)
    }

    struct Exchange: Sendable {
        let number: Int
        let request: HTTPRequest
        /// The mark that the request sets.
        let mark: Int?
        var result: Answer?
        var isAnswered = false
        var isOver = false
    }

    struct State: Sendable {
        var owner = "ann"
        var notes: [Int: Note]
        var exchanges: [Exchange] = []
        /// Whether requests are executed and answered at once.
        var isAutomatic = true
        /// What mutations are refused with.
        var refusal: HTTPStatus?
        /// Whether each request fails for lack of a network.
        var isOffline = false
        /// What it keeps of its past.
        var memory = Memory()
    }

    /// What a server remembers of the requests that changed something.
    struct Memory: Sendable {
        /// Whether a request whose `Idempotency-Key` is known gets the same response, without being executed again.
        var honorsKeys = false
        var results: [String: Answer] = [:]
        /// How often the request of a mark was executed.
        var executions: [Int: Int] = [:]
        /// The note that the request of a mark created.
        var creations: [Int: Int] = [:]
        /// The versions of notes that were removed.
        var versions: [Int: Int] = [:]
        var lastID = 0
    }

    static let pageSize = 3

    let state: Watched<State>

    init(notes count: Int = 7) {
        state = Watched(State(notes: Self.notes(count, of: "ann")))
    }

    static func notes(_ count: Int, of owner: String) -> [Int: Note] {
        Dictionary(uniqueKeysWithValues: (0..<count).map { ($0 + 1, Note(id: $0 + 1, owner: owner)) })
    }

    func client(_ change: (inout ClientConfiguration) -> Void = { _ in }) -> APIClient {
        APIClient(baseURL: "https://api.example.com", transport: self) {
            $0.retry.maximumAttempts = 1
            $0.cache = .off
            change(&$0)
        }
    }

    /// The requests so far, such as `GET /notes/1`.
    var log: [String] { state.value.exchanges.map { "\($0.request.method) \($0.request.url.path)" } }

    func count(_ line: String) -> Int { log.count { $0 == line } }

    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        let body = request.bodyInMemory
        let number = state.update { state in
            let number = state.exchanges.count
            state.exchanges.append(Exchange(number: number, request: request, mark: Self.mark(of: request, body)))
            if state.isAutomatic {
                Self.execute(number, body, &state)
                state.exchanges[number].isAnswered = true
            }
            return number
        }
        defer { state.update { $0.exchanges[number].isOver = true } }
        do {
            try await state.wait { $0.exchanges[number].isAnswered }
        } catch {
            throw NetworkError(.cancelled, phase: .receiving, request: request)
        }
        switch state.value.exchanges[number].result {
        case .response(let status, let fields, let data):
            return HTTPResponse(
                head: HTTPResponseHead(status: status, fields: fields), body: HTTPBody(.bytes(data)), request: request)
        case .failure(let kind): throw NetworkError(kind, phase: .receiving, request: request)
        case nil: throw NetworkError(.offline(.noPath), phase: .connecting, request: request)
        }
    }

    /// Executes a held request.
    func execute(_ number: Int) {
        state.update { Self.execute(number, $0.exchanges[number].request.bodyInMemory, &$0) }
    }

    /// Answers a held request, which must be executed.
    func answer(_ number: Int) {
        state.update { $0.exchanges[number].isAnswered = true }
    }

    /// Fails a held request, executed or not.
    func fail(_ number: Int, _ kind: NetworkError.Kind) {
        state.update { state in
            state.exchanges[number].result = .failure(kind)
            state.exchanges[number].isAnswered = true
        }
    }

    func hold() { state.update { $0.isAutomatic = false } }

    /// Executes and answers all requests, those that it holds too.
    func release() {
        state.update { $0.isAutomatic = true }
        for exchange in state.value.exchanges where !exchange.isAnswered {
            if exchange.result == nil { execute(exchange.number) }
            answer(exchange.number)
        }
    }

    func waitForRequests(_ count: Int) async throws {
        try await state.wait { $0.exchanges.count >= count }
    }

    private static func execute(_ number: Int, _ body: Data, _ state: inout State) {
        guard !state.isOffline else {
            state.exchanges[number].result = .failure(.offline(.noPath))
            return
        }
        state.exchanges[number].result = answer(to: state.exchanges[number].request, body, &state)
    }
}

extension HTTPRequest {
    fileprivate var bodyInMemory: Data {
        if case .bytes(let data) = body?.storage { data } else { Data() }
    }
}
