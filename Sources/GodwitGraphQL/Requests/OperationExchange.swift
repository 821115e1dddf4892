import GodwitCore
import Synchronization

/// Makes the requests of operations and reads their responses.
final class OperationExchange: Sendable {
    static let accept = "application/graphql-response+json, application/json;q=0.9"
    /// Longer URLs are refused by common servers.
    private static let longestURL = 8000

    let api: APIClient
    let path: EndpointPath
    private let options: GraphQLOptions
    private let hashesAreSupported = Atomic(true)

    init(_ api: APIClient, _ path: EndpointPath, _ options: GraphQLOptions) {
        (self.api, self.path, self.options) = (api, path, options)
    }

    // MARK: Sending

    /// Sends an operation; if it is named by its hash and the server doesn't know that, again with its text.
    func send<Value>(
        _ operation: GraphQLOperation<Value>, _ encoded: EncodedOperation
    ) async throws(NetworkError) -> (result: RawResult, response: HTTPResponse) {
        guard options.persistedQueries == .automatic, let hash = encoded.document.hash,
            hashesAreSupported.load(ordering: .relaxed), encoded.files.isEmpty
        else {
            let response = try await api.send(try request(operation, encoded, .document))
            return (try await result(of: response), response)
        }
        let response = try await api.send(try request(operation, encoded, .hash(hash, withText: false)))
        let outcome = await outcome(of: response)
        guard let answer = PersistedQueryAnswer(outcome) else { return (try outcome.get(), response) }
        // With the text in a POST: it may be longer than a URL.
        let again = try request(
            operation, encoded, answer == .notFound ? .hash(hash, withText: true) : .document)
        let second = try await api.send(again)
        let result = try await result(of: second)
        // A server that misses the text may also refuse the variables: only a success tells the two apart.
        if answer == .notSupported || answer == .refused && result.hasData {
            hashesAreSupported.store(false, ordering: .relaxed)
        }
        return (result, second)
    }

    /// The request of an operation.
    func request<Value>(
        _ operation: GraphQLOperation<Value>, _ encoded: EncodedOperation,
        _ identification: EncodedOperation.Identification, accept: String = OperationExchange.accept
    ) throws(NetworkError) -> HTTPRequest {
        try api.request(for: try endpoint(operation, encoded, identification, accept: accept))
    }

    /// The request of an operation as an endpoint.
    func endpoint<Value>(
        _ operation: GraphQLOperation<Value>, _ encoded: EncodedOperation,
        _ identification: EncodedOperation.Identification, accept: String = OperationExchange.accept
    ) throws(NetworkError) -> Endpoint<Data> {
        let members = encoded.members(identification)
        if operation.kind == .query, options.queries == .get, encoded.files.isEmpty {
            let query = QueryItems(
                members.members.map { item in
                    QueryItem(name: item.name, value: Self.plain(item))
                })
            let endpoint = endpoint(.get, query, nil, operation, accept)
            if try api.request(for: endpoint).url.description.utf8.count <= Self.longestURL { return endpoint }
        }
        let body: RequestBody =
            encoded.files.isEmpty ? .data(Data(members.text), type: .json) : .uploads(members, encoded.files)
        return endpoint(.post, [:], body, operation, accept)
    }

    /// A member as a query item: texts without quotes, other values as JSON.
    private static func plain(_ member: JSONMembers.Member) -> String {
        let isText = ["query", "operationName", "documentId"].contains(member.name)
        let text = isText ? (try? JSONDocument(parsing: Data(member.value)))?.root.string : nil
        return text ?? String(decoding: member.value, as: UTF8.self)
    }

    private func endpoint<Value>(
        _ method: HTTPMethod, _ query: QueryItems, _ body: RequestBody?, _ operation: GraphQLOperation<Value>,
        _ accept: String
    ) -> Endpoint<Data> {
        let endpoint = Endpoint<Data>(
            method: method, path: path, query: query, fields: operation.fields, body: body, accept: accept
        ) { data, _, _ in data }
        let (onlyReads, adjust) = (operation.kind == .query, operation.adjust)
        return endpoint.options { options in Self.adjust(&options, onlyReads: onlyReads, adjust) }
    }

    /// Sets the options of an operation's request: a query can be retried as POST, and makes no model stale.
    static func adjust(
        _ options: inout RequestOptions, onlyReads: Bool, _ own: (@Sendable (inout RequestOptions) -> Void)?
    ) {
        options.onlyReads = onlyReads
        if onlyReads { options.modelInvalidation = .off }
        own?(&options)
    }

    // MARK: Reading

    /// Reads a response by the rules of its media type (GraphQL over HTTP, section 6).
    func result(of response: HTTPResponse) async throws(NetworkError) -> RawResult {
        let body = try await response.body.collect(upTo: api.configuration.bufferLimit)
        guard isWellFormed(response.head) else { throw refusal(response, body) }
        guard let result = RawResult(parsing: body) else { throw unreadable(response, body) }
        return result
    }

    private func outcome(of response: HTTPResponse) async -> Result<RawResult, NetworkError> {
        do throws(NetworkError) {
            return .success(try await result(of: response))
        } catch {
            return .failure(error)
        }
    }

    /// Whether the body is a GraphQL response, whatever its status says.
    func isWellFormed(_ head: HTTPResponseHead) -> Bool {
        head.status.isSuccessful || head.isGraphQLResponse
    }

    /// The error for a status that isn't accepted. With `application/json` it may come from a proxy, but its errors are
    /// kept if it has some.
    func refusal(_ response: HTTPResponse, _ body: Data) -> NetworkError {
        var error = NetworkError(
            response, body: body, readers: api.configuration.errorBodies, coding: api.configuration.json)
        if error.underlying == nil, let result = RawResult(parsing: body), !result.errors.isEmpty {
            error.underlying = result.failure(nil).underlying
        }
        return error
    }

    private func unreadable(_ response: HTTPResponse, _ body: Data) -> NetworkError {
        let type = response.head.fields[.contentType]
        let isJSON = type.flatMap(MediaType.init(_:))?.isJSON ?? true
        let failure = NetworkError.DecodingFailure(path: "", reason: "the body is not a GraphQL response")
        var error = NetworkError(isJSON ? .decoding(failure) : .unexpectedContentType(type), phase: .decoding)
        error.body = Data(body.prefix(64 << 10))
        return error.adding(response)
    }
}

extension HTTPResponseHead {
    /// Whether the type is `application/graphql-response+json`.
    var isGraphQLResponse: Bool {
        fields[.contentType].flatMap(MediaType.init(_:))?.essence == "application/graphql-response+json"
    }
}

extension NetworkError {
    /// Adds the response that caused the error.
    func adding(_ cause: HTTPResponse) -> NetworkError {
        var error = self
        error.request = request ?? cause.request
        error.response = response ?? cause.head
        error.attempt = cause.metrics.attempt
        return error
    }
}

/// What a server says about a hash.
enum PersistedQueryAnswer {
    case notFound, notSupported
    /// The request was bad: the server may not know persisted queries at all, and miss the text.
    case refused

    /// `nil` if the server ran the operation, or failed for another reason.
    init?(_ outcome: Result<RawResult, NetworkError>) {
        let errors =
            switch outcome {
            case .success(let result): result.errors
            case .failure(let error): error.graphQLErrors
            }
        for error in errors {
            switch (error.code, error.message) {
            case ("PERSISTED_QUERY_NOT_FOUND", _), (_, "PersistedQueryNotFound"): self = .notFound
            case ("PERSISTED_QUERY_NOT_SUPPORTED", _), (_, "PersistedQueryNotSupported"): self = .notSupported
            default: continue
            }
            return
        }
        guard case .failure(let error) = outcome, [400, 422].contains(error.response?.status.code) else { return nil }
        self = .refused
    }
}
