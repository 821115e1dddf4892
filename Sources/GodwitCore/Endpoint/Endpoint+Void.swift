// Endpoints whose response has no content that matters: whatever comes is left unread.
extension Endpoint where Response == Void {
    /// Makes an endpoint with any method.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path below the client's base URL; values in it are encoded.
    ///   - query: Behind the base URL's own query.
    ///   - body: The content; nil sends none.
    public static func custom(
        _ method: HTTPMethod, _ path: EndpointPath, query: QueryItems = [:], body: RequestBody? = nil
    ) -> Self {
        Self(ResponseReading.ignoring, method, path, query, body)
    }

    /// Reads a resource.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL; values in it are encoded.
    ///   - query: Behind the base URL's own query.
    public static func get(_ path: EndpointPath, query: QueryItems = [:]) -> Self {
        custom(.get, path, query: query)
    }

    /// Asks for the fields of a response without its content.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base URL; values in it are encoded.
    ///   - query: Behind the base URL's own query.
    public static func head(_ path: EndpointPath, query: QueryItems = [:]) -> Self {
        custom(.head, path, query: query)
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
