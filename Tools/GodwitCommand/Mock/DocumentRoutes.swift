import Godwit
import GodwitGenerator
import GodwitTesting

/// The routes of an OpenAPI document: each operation answers with its examples.
struct DocumentRoutes: Sendable {
    private let api: ExampleAPI
    /// The document and the files that it refers to.
    let files: [String]

    /// What of the document isn't served, a line each.
    var omissions: [String] { api.notes.map { note in (note.place.map { "\($0): " } ?? "") + note.text } }

    /// The number of operations.
    var count: Int { api.routes.count }

    init(_ path: String) throws(CommandFailure) {
        let document = try SourceReader.file(path)
        var files = [path]
        do throws(GenerationError) {
            api = try Generator().examples(of: document) { reference throws(GenerationError) in
                let file = try Self.load(reference.name)
                files.append(reference.name)
                return file
            }
        } catch {
            throw .file("\(error)")
        }
        self.files = files
    }

    /// A client's base URL has the document's base path or not: both are served.
    func add(to routes: MockRoutes) {
        for prefix in Set(["", api.basePath]).sorted(by: >) {
            for route in api.routes { add(route, below: prefix, to: routes) }
        }
    }

    private func add(_ route: ExampleRoute, below prefix: String, to routes: MockRoutes) {
        guard let method = HTTPMethod(route.method) else { return }
        routes.when(method, prefix + route.pattern, query: route.query)
            .where { request in
                (route.ending.map(request.path.hasSuffix) ?? true)
                    && (route.neededType.map(request.accepts) ?? true)
            }
            .reply { [api] request in
                let received = ExampleRequest(request, below: prefix)
                if let refusal = api.refusal(of: received, by: route) { return .problem(refusal) }
                return DocumentReply(route, for: request).response
            }
    }

    private static func load(_ name: String) throws(GenerationError) -> SourceFile {
        guard !SourceReader.isURL(name) else {
            throw GenerationError(.file, "documents of other servers aren't fetched", at: SourcePlace(file: name))
        }
        do throws(CommandFailure) {
            return try SourceReader.file(name)
        } catch {
            throw GenerationError(.file, "can't read the file that is referred to", at: SourcePlace(file: name))
        }
    }
}

/// The choice among the examples of an operation.
///
/// The client chooses with `Prefer: code=404` and `Prefer: example=NAME` (RFC 7240), and with `Accept` among the media types of one status.
private struct DocumentReply {
    private let replies: [ExampleReply]
    private let request: MockRequest
    private let preferences: [String: String]

    init(_ route: ExampleRoute, for request: MockRequest) {
        replies = route.replies
        self.request = request
        preferences = Self.preferences(of: request)
    }

    var response: MockResponse {
        var candidates = replies
        if let text = preferences["code"] {
            guard let code = Int(text), let status = HTTPStatus(code), code >= 200 else {
                return refusal("Prefer: code=\(text) is not a status from 200 to 999")
            }
            candidates = candidates.filter { $0.status == code }
            // A client is tested with statuses that the document doesn't have, too.
            if candidates.isEmpty, preferences["example"] == nil { return .status(status) }
        }
        if let name = preferences["example"] {
            let names = candidates.compactMap(\.name)
            candidates = candidates.filter { $0.name == name }
            guard !candidates.isEmpty else {
                let known = names.isEmpty ? "none has a name" : "the examples are \(names.joined(separator: ", "))"
                return refusal("no example of this response is called \"\(name)\"; \(known)")
            }
        }
        return accepted(candidates).map(Self.response) ?? .status(.noContent)
    }

    /// The first one whose media type is asked for; the first one of all if none is.
    private func accepted(_ candidates: [ExampleReply]) -> ExampleReply? {
        guard let first = candidates.first else { return nil }
        let alike = candidates.filter { $0.status == first.status }
        return alike.first { $0.mediaType.map(request.accepts) ?? false } ?? first
    }

    private func refusal(_ text: String) -> MockResponse {
        .text(text + "\n", status: .badRequest)
    }

    private static func response(_ reply: ExampleReply) -> MockResponse {
        var response = MockResponse(status: HTTPStatus(reply.status) ?? .internalServerError, body: .bytes(reply.body))
        for field in reply.fields {
            guard let name = HTTPField.Name(field.name), !framing.contains(name),
                let field = HTTPField(name: name, value: field.value)
            else { continue }
            response.fields.append(field)
        }
        if let type = reply.mediaType { response.fields[.contentType] = type }
        return response
    }

    /// Fields that the server sets.
    private static let framing: Set<HTTPField.Name> = [
        .contentLength, .contentType, .contentEncoding, .transferEncoding, .connection,
    ]

    private static func preferences(of request: MockRequest) -> [String: String] {
        let items = request.fields.values(of: HTTPField.Name("Prefer")).flatMap { $0.split { ",;".contains($0) } }
        let pairs = items.compactMap { item -> (String, String)? in
            let parts = item.split(separator: "=", maxSplits: 1).map { part in
                String(part.filter { $0 != "\"" && !$0.isWhitespace })
            }
            return parts.count == 2 ? (parts[0].lowercased(), parts[1]) : nil
        }
        return Dictionary(pairs) { first, _ in first }
    }
}

extension ExampleRequest {
    /// - Parameter prefix: The base path below which the route is.
    fileprivate init(_ request: MockRequest, below prefix: String) {
        // A body that is compressed, or longer than the server keeps, can't be checked.
        let isEncoded = request.fields[.contentEncoding].map { $0.lowercased() != "identity" } ?? false
        let isWhole = request.bodyByteCount == Int64(request.body.count)
        self.init(
            path: String(request.path.dropFirst(prefix.count)),
            query: request.queryItems.map { .init(name: $0.name, value: $0.value) },
            fields: request.fields.map { .init(name: "\($0.name)", value: $0.value) },
            body: isEncoded || !isWhole ? nil : request.body)
    }
}

extension MockResponse {
    /// Problem details (RFC 9457), with each error and its place.
    fileprivate static func problem(_ refusal: RequestRefusal) -> MockResponse {
        let errors = refusal.problems.map { problem in
            var error: [String: JSONValue] = [
                "in": .string(problem.location), "pointer": .string(problem.violation.pointer),
                "detail": .string(problem.violation.text),
            ]
            if let name = problem.name { error["name"] = .string(name) }
            return JSONValue.object(error)
        }
        var detail = refusal.problems.first?.description ?? ""
        if errors.count > 1 { detail += " (and \(errors.count - 1) more)" }
        var response = MockResponse.json(
            [
                "title": .string(refusal.title), "status": .integer(Int64(refusal.status)), "detail": .string(detail),
                "errors": .array(errors),
            ], status: HTTPStatus(refusal.status) ?? .badRequest)
        response.fields[.contentType] = MediaType.problemJSON.essence
        return response
    }
}

extension MockRequest {
    /// Whether `Accept` has a media type by its name.
    fileprivate func accepts(_ mediaType: String) -> Bool {
        fields[.accept]?.lowercased().contains(mediaType) ?? false
    }
}
