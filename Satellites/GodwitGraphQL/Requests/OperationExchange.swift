import GodwitCore
import Synchronization

/// Makes the requests of operations and reads their responses.
final class OperationExchange: Sendable {
    static let accept = "application/graphql-response+json, application/json;q=0.9"
    /// Longer URLs are refused by common servers.
    private static let longestURL = 8000

    let api: APIClient
    let path: EndpointPath
    /// The client's JSON settings, with keys as written: the schema fixes the names.
    let coding: JSONCoding
    private let options: GraphQLOptions
    private let support = Mutex(PersistedQuerySupport.unknown)

    init(_ api: APIClient, _ path: EndpointPath, _ options: GraphQLOptions) {
        self.api = api
        self.path = path
        self.options = options
        coding = api.configuration.json.keysAsWritten
    }

    // MARK: Sending

    /// Sends an operation; if it is named by its hash and the server doesn't know that, again with its text.
    func send<Value>(
        _ operation: GraphQLOperation<Value>, _ encoded: EncodedOperation
    ) async throws(NetworkError) -> (result: RawResult, response: HTTPResponse) {
        let onlyReads = operation.kind == .query
        guard options.persistedQueries == .automatic, encoded.files.isEmpty, let hash = encoded.document.hash,
            support.withLock({ $0.allowsHash(onlyReads: onlyReads) })
        else {
            let response = try await api.send(try request(operation, encoded, .document))
            return (try await result(of: response), response)
        }
        // Both requests belong to the account of the call.
        let account = api.accountSession.stamp
        let request = try request(operation, encoded, .hash(hash, withText: false)).bound(to: account)
        let response = try await api.send(request)
        let body = try await body(of: response)
        let answer = PersistedQueryAnswer(
            RawResult(parsing: body), response.head.status, onlyReads: onlyReads)
        guard let answer else {
            let result = try read(response, body)
            if result.data != nil { support.withLock { $0 = .supported } }
            return (result, response)
        }
        return try await send(operation, encoded, hash, after: answer, account)
    }

    private func send<Value>(
        _ operation: GraphQLOperation<Value>, _ encoded: EncodedOperation, _ hash: String,
        after answer: PersistedQueryAnswer, _ account: AccountStamp
    ) async throws(NetworkError) -> (result: RawResult, response: HTTPResponse) {
        guard api.accountSession.isCurrent(account) else { throw .accountChanged(.sending) }
        let identification: EncodedOperation.Identification =
            answer == .notFound ? .hash(hash, withText: true) : .document
        let response = try await api.send(try request(operation, encoded, identification).bound(to: account))
        let result = try await result(of: response)
        support.withLock { $0.note(answer, succeeded: result.data != nil) }
        return (result, response)
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
            let query = QueryItems(members.members.map { QueryItem(name: $0.name, value: Self.plain($0)) })
            let endpoint = endpoint(operation, method: .get, query: query, accept: accept)
            if try api.request(for: endpoint).url.absoluteString.utf8.count <= Self.longestURL { return endpoint }
        }
        return endpoint(operation, method: .post, body: Self.body(members, encoded), accept: accept)
    }

    private static func body(_ members: JSONMembers, _ encoded: EncodedOperation) -> RequestBody {
        encoded.files.isEmpty ? .data(Data(members.text), type: .json) : .uploads(members, encoded.files)
    }

    /// A member as a query item: texts without quotes, other values as JSON.
    private static func plain(_ member: JSONMembers.Member) -> String {
        let isText = ["query", "operationName", "documentId"].contains(member.name)
        let text = isText ? (try? JSONDocument(parsing: Data(member.value)))?.root.string : nil
        return text ?? String(decoding: member.value, as: UTF8.self)
    }

    private func endpoint<Value>(
        _ operation: GraphQLOperation<Value>, method: HTTPMethod, query: QueryItems = [:], body: RequestBody? = nil,
        accept: String
    ) -> Endpoint<Data> {
        let endpoint = Endpoint(
            raw: method, path, query: query, fields: operation.fields, body: body, accept: accept)
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
        try read(response, try await body(of: response))
    }

    func body(of response: HTTPResponse) async throws(NetworkError) -> Data {
        try await response.body.collect(upTo: api.configuration.bufferLimit)
    }

    /// Reads the body of a response by the rules of its media type.
    func read(_ response: HTTPResponse, _ body: Data) throws(NetworkError) -> RawResult {
        guard isWellFormed(response.head) else { throw refusal(response, body) }
        guard let result = RawResult(parsing: body) else { throw unreadable(response, body) }
        return result
    }

    /// The data of a result, with the errors of its fields.
    func read<Value: Decodable & Sendable>(
        _ type: Value.Type, _ result: RawResult, _ response: HTTPResponse
    ) throws(NetworkError) -> GraphQLResponse<Value> {
        do throws(NetworkError) {
            return try result.response(type, coding, response.head)
        } catch {
            guard !error.graphQLErrors.isEmpty else { throw error.adding(response) }
            throw result.failure(response)
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
            error.hideSecretsInWords()
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

extension HTTPRequest {
    /// The same request, bound to an account if it needs authentication.
    func bound(to account: AccountStamp) -> HTTPRequest {
        var request = self
        if options.authentication == .required { request.options.account = account }
        return request
    }
}

extension Endpoint<Data> {
    /// An endpoint whose response is the body as it is.
    init(
        raw method: HTTPMethod, _ path: EndpointPath, query: QueryItems = [:], fields: HTTPFields = [:],
        body: RequestBody? = nil, accept: String
    ) {
        self.init(method: method, path: path, query: query, fields: fields, body: body, accept: accept) {
            data, _, _ in data
        }
    }
}

extension NetworkError {
    /// The error of what would have to be sent for a former account.
    static func accountChanged(_ phase: Phase) -> NetworkError {
        NetworkError(.cancelled, phase: phase, underlying: AccountChanged())
    }

    /// The error for what no GraphQL server may send.
    static func violation(_ reason: String, phase: Phase = .receiving) -> NetworkError {
        NetworkError(.transport(.protocolViolation("the server sent \(reason)")), phase: phase)
    }
}
