import GodwitCore

/// The body of a response, apart from its data's type (GraphQL specification, section 7.1).
struct RawResult: Sendable {
    /// The data as sent; `nil` if it is missing or `null`.
    var data: Data?
    /// Whether the body has a `data` member, which may be `null`.
    var hasData: Bool
    var errors: [GraphQLError]
    var extensions: [String: JSONValue]

    /// `nil` if the body isn't a GraphQL response.
    init?(_ element: JSONElement) {
        let (data, errors) = (element["data"], GraphQLError.list(element["errors"]))
        guard data != nil || errors != nil else { return nil }
        hasData = data != nil
        self.data = data.flatMap { $0.kind == .null ? nil : Data($0.source) }
        self.errors = errors ?? []
        extensions = element["extensions"].map(JSONValue.init)?.members ?? [:]
    }

    /// A result with errors only.
    init(errors: [GraphQLError]) {
        data = nil
        hasData = false
        self.errors = errors
        extensions = [:]
    }

    init?(parsing body: Data) {
        guard let document = try? JSONDocument(parsing: body) else { return nil }
        self.init(document.root)
    }

    /// The data as a value, with the errors of its fields.
    ///
    /// Throws `.decoding` or, without usable data, what the errors mean.
    func response<Value: Decodable & Sendable>(
        _ type: Value.Type, _ coding: JSONCoding, _ head: HTTPResponseHead?
    ) throws(NetworkError) -> GraphQLResponse<Value> {
        guard let data else {
            guard errors.isEmpty else {
                // `null` is a value of an optional type.
                guard hasData, let value = try? coding.decode(Value.self, from: Data("null".utf8)) else {
                    throw failure(head)
                }
                return GraphQLResponse(value: value, errors: errors, extensions: extensions, head: head)
            }
            let reason = "the response has neither data nor errors"
            throw NetworkError(.decoding(.init(path: "data", reason: reason)), phase: .decoding, response: head)
        }
        do throws(NetworkError) {
            let value = try coding.decode(Value.self, from: data)
            return GraphQLResponse(value: value, errors: errors, extensions: extensions, head: head)
        } catch {
            // A field that failed is null, which the type doesn't allow: the cause is the field's error.
            guard errors.isEmpty else { throw failure(head) }
            throw error.inData
        }
    }

    /// What the errors mean: by their codes, otherwise by the status.
    func failure(_ response: HTTPResponse) -> NetworkError {
        var error = failure(response.head).adding(response)
        if error.kind == .operationFailed, !response.head.status.isSuccessful {
            error.kind = NetworkError(response, body: Data()).kind
        }
        return error
    }

    /// What the errors mean. The first code that is known decides.
    func failure(_ head: HTTPResponseHead?) -> NetworkError {
        var error = NetworkError(Self.kind(of: errors), phase: .validating, response: head)
        error.underlying = GraphQLFailure(
            errors: errors,
            data: data.flatMap { try? JSONDocument(parsing: $0) }.flatMap { JSONValue(bounded: $0.root) })
        var problem = ProblemDetails()
        problem.detail = errors.first?.description
        problem.code = errors.lazy.compactMap(\.code).first
        error.problem = problem
        return error
    }

    /// Codes that GraphQL servers have in common.
    private static func kind(of errors: [GraphQLError]) -> NetworkError.Kind {
        for code in errors.lazy.compactMap(\.code) {
            switch code {
            case "UNAUTHENTICATED", "UNAUTHORIZED": return .unauthorized
            case "FORBIDDEN": return .forbidden
            case "NOT_FOUND": return .notFound
            case "RATE_LIMITED", "TOO_MANY_REQUESTS": return .rateLimited(retryAfter: nil)
            default: continue
            }
        }
        return .operationFailed
    }
}

extension NetworkError {
    /// A decoding error with its path from the response's root.
    fileprivate var inData: NetworkError {
        guard case .decoding(let failure) = kind else { return self }
        var error = self
        let path =
            failure.path.isEmpty ? "data" : failure.path.hasPrefix("[") ? "data\(failure.path)" : "data.\(failure.path)"
        error.kind = .decoding(.init(path: path, reason: failure.reason, snippet: failure.snippet))
        return error
    }
}
