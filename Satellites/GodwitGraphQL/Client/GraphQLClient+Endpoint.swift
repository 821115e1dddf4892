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
        let encoded = try EncodedOperation(operation, exchange.coding)
        let endpoint = try exchange.endpoint(operation, encoded, .document)
        let request = try api.request(for: endpoint)
        let decode: Endpoint<Value>.Decode = { [exchange] data, head, _ throws(NetworkError) in
            let response = HTTPResponse(head: head, request: request)
            do throws(NetworkError) {
                let result = try exchange.read(response, data)
                guard result.errors.isEmpty else { throw result.failure(response) }
                return try exchange.read(Value.self, result, response).value
            } catch {
                // The client adds the request that was sent.
                var error = error
                error.request = nil
                throw error
            }
        }
        let (onlyReads, adjust) = (operation.kind == .query, operation.adjust)
        return Endpoint<Value>(
            method: endpoint.method, path: endpoint.path, query: endpoint.query, fields: endpoint.fields,
            body: endpoint.body, accept: OperationExchange.accept, decode: decode
        ).options { options in
            OperationExchange.adjust(&options, onlyReads: onlyReads, adjust)
            // The media type decides what such a response means.
            options.acceptedStatuses.formUnion(400...599)
        }
    }
}
