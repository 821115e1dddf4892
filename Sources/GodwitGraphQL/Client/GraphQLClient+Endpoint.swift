public import GodwitCore

extension GraphQLClient {
    /// Returns an operation as an endpoint, for what takes endpoints, such as a query store. Sends nothing.
    ///
    /// ```swift
    /// let viewer = try graphQL.endpoint(for: .viewer(first: 10))      // Loader(queries, viewer)
    /// ```
    ///
    /// The endpoint throws if the server reports any error. It is neither batched nor sent as a hash.
    ///
    /// - Throws: `.invalidURL` or `.encoding` if the request can't be built.
    public func endpoint<Value>(for operation: GraphQLOperation<Value>) throws(NetworkError) -> Endpoint<Value> {
        let encoded = try EncodedOperation(operation.document, operation.variables, api.configuration.json)
        let endpoint = try exchange.endpoint(operation, encoded, .document)
        let decode: Endpoint<Value>.Decode = { data, head, coding throws(NetworkError) in
            guard let result = RawResult(parsing: data) else {
                let failure = NetworkError.DecodingFailure(path: "", reason: "the body is not a GraphQL response")
                throw NetworkError(.decoding(failure), phase: .decoding, response: head)
            }
            guard result.errors.isEmpty else { throw result.failure(head) }
            return try result.response(Value.self, coding, head).value
        }
        let (onlyReads, adjust) = (operation.kind == .query, operation.adjust)
        return Endpoint<Value>(
            method: endpoint.method, path: endpoint.path, query: endpoint.query, fields: endpoint.fields,
            body: endpoint.body, accept: OperationExchange.accept, decode: decode
        ).options { options in OperationExchange.adjust(&options, onlyReads: onlyReads, adjust) }
    }
}
