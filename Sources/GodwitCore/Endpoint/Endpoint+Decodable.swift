// Endpoints that return a value: read from JSON, or the body itself for types that are a ``RawResponse``.
extension Endpoint where Response: Decodable {
    /// Makes an endpoint with any method.
    ///
    /// A method without a name here is made by ``HTTPMethod/init(_:)``, which is nil for text that is no token.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path below the client's base URL; values in it are encoded.
    ///   - query: Behind the base URL's own query.
    ///   - body: The content; nil sends none.
    public static func custom(
        _ method: HTTPMethod, _ path: EndpointPath, query: QueryItems = [:], body: RequestBody? = nil
    ) -> Self {
        Self(ResponseReading.standard, method, path, query, body)
    }

    /// Reads a resource.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL; values in it are encoded.
    ///   - query: Behind the base URL's own query.
    public static func get(_ path: EndpointPath, query: QueryItems = [:]) -> Self {
        custom(.get, path, query: query)
    }

    /// Sends content to a resource, usually to create something.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL; values in it are encoded.
    ///   - query: Behind the base URL's own query.
    ///   - body: The content; nil sends none.
    public static func post(_ path: EndpointPath, query: QueryItems = [:], body: RequestBody? = nil) -> Self {
        custom(.post, path, query: query, body: body)
    }

    /// Stores content as the resource.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL; values in it are encoded.
    ///   - query: Behind the base URL's own query.
    ///   - body: The content; nil sends none.
    public static func put(_ path: EndpointPath, query: QueryItems = [:], body: RequestBody? = nil) -> Self {
        custom(.put, path, query: query, body: body)
    }

    /// Changes a part of a resource.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL; values in it are encoded.
    ///   - query: Behind the base URL's own query.
    ///   - body: The content; nil sends none.
    public static func patch(_ path: EndpointPath, query: QueryItems = [:], body: RequestBody? = nil) -> Self {
        custom(.patch, path, query: query, body: body)
    }

    /// Deletes a resource.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL; values in it are encoded.
    ///   - query: Behind the base URL's own query.
    ///   - body: The content; nil sends none.
    public static func delete(_ path: EndpointPath, query: QueryItems = [:], body: RequestBody? = nil) -> Self {
        custom(.delete, path, query: query, body: body)
    }

    /// Asks what a resource offers.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL; values in it are encoded.
    ///   - query: Behind the base URL's own query.
    public static func options(_ path: EndpointPath, query: QueryItems = [:]) -> Self {
        custom(.options, path, query: query)
    }
}
