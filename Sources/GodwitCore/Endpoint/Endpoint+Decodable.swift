// Endpoints that return a value: parsed from JSON, or the body itself for a ``RawResponse``. The parameters of each method
// are those of ``custom(_:_:query:body:)``.
extension Endpoint where Response: Decodable {
    /// Creates an endpoint with any method.
    ///
    /// For a method without a name here, use ``HTTPMethod/init(_:)``, which is `nil` if the text isn't a token.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL; interpolated values are encoded.
    ///   - query: Query items, appended to the base URL's query.
    ///   - body: The body; `nil` sends none.
    public static func custom(
        _ method: HTTPMethod, _ path: EndpointPath, query: QueryItems = [:], body: RequestBody? = nil
    ) -> Self {
        Self(ResponseReading.standard, method, path, query, body)
    }

    /// Reads a resource.
    public static func get(_ path: EndpointPath, query: QueryItems = [:]) -> Self {
        custom(.get, path, query: query)
    }

    /// Sends a body to a resource, usually to create something.
    public static func post(_ path: EndpointPath, query: QueryItems = [:], body: RequestBody? = nil) -> Self {
        custom(.post, path, query: query, body: body)
    }

    /// Stores the body as the resource.
    public static func put(_ path: EndpointPath, query: QueryItems = [:], body: RequestBody? = nil) -> Self {
        custom(.put, path, query: query, body: body)
    }

    /// Changes a part of a resource.
    public static func patch(_ path: EndpointPath, query: QueryItems = [:], body: RequestBody? = nil) -> Self {
        custom(.patch, path, query: query, body: body)
    }

    /// Deletes a resource.
    public static func delete(_ path: EndpointPath, query: QueryItems = [:], body: RequestBody? = nil) -> Self {
        custom(.delete, path, query: query, body: body)
    }

    /// Requests the communication options of a resource.
    public static func options(_ path: EndpointPath, query: QueryItems = [:]) -> Self {
        custom(.options, path, query: query)
    }
}
