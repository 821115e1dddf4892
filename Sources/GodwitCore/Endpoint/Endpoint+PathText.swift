// Paths in string variables. Literals and interpolations prefer the overloads with ``EndpointPath``, which encode each
// value.
extension Endpoint where Response: Decodable {
    /// Makes an endpoint with any method and a plain-text path, encoded by ``EndpointPath/init(_:)``.
    @_disfavoredOverload
    public static func custom(
        _ method: HTTPMethod, _ path: some StringProtocol, query: QueryItems = [:], body: RequestBody? = nil
    ) -> Self {
        custom(method, EndpointPath(path), query: query, body: body)
    }

    /// Reads the resource at a plain-text path, encoded by ``EndpointPath/init(_:)``.
    @_disfavoredOverload
    public static func get(_ path: some StringProtocol, query: QueryItems = [:]) -> Self {
        get(EndpointPath(path), query: query)
    }

    /// Sends a body to the resource at a plain-text path, encoded by ``EndpointPath/init(_:)``.
    @_disfavoredOverload
    public static func post(_ path: some StringProtocol, query: QueryItems = [:], body: RequestBody? = nil) -> Self {
        post(EndpointPath(path), query: query, body: body)
    }

    /// Stores the body as the resource at a plain-text path, encoded by ``EndpointPath/init(_:)``.
    @_disfavoredOverload
    public static func put(_ path: some StringProtocol, query: QueryItems = [:], body: RequestBody? = nil) -> Self {
        put(EndpointPath(path), query: query, body: body)
    }

    /// Changes a part of the resource at a plain-text path, encoded by ``EndpointPath/init(_:)``.
    @_disfavoredOverload
    public static func patch(_ path: some StringProtocol, query: QueryItems = [:], body: RequestBody? = nil) -> Self {
        patch(EndpointPath(path), query: query, body: body)
    }

    /// Deletes the resource at a plain-text path, encoded by ``EndpointPath/init(_:)``.
    @_disfavoredOverload
    public static func delete(_ path: some StringProtocol, query: QueryItems = [:], body: RequestBody? = nil) -> Self {
        delete(EndpointPath(path), query: query, body: body)
    }

    /// Requests the communication options at a plain-text path, encoded by ``EndpointPath/init(_:)``.
    @_disfavoredOverload
    public static func options(_ path: some StringProtocol, query: QueryItems = [:]) -> Self {
        options(EndpointPath(path), query: query)
    }
}

extension Endpoint where Response == Void {
    /// Makes an endpoint with any method and a plain-text path, encoded by ``EndpointPath/init(_:)``.
    @_disfavoredOverload
    public static func custom(
        _ method: HTTPMethod, _ path: some StringProtocol, query: QueryItems = [:], body: RequestBody? = nil
    ) -> Self {
        custom(method, EndpointPath(path), query: query, body: body)
    }

    /// Reads the resource at a plain-text path, encoded by ``EndpointPath/init(_:)``.
    @_disfavoredOverload
    public static func get(_ path: some StringProtocol, query: QueryItems = [:]) -> Self {
        get(EndpointPath(path), query: query)
    }

    /// Requests the header fields of the resource at a plain-text path, encoded by ``EndpointPath/init(_:)``.
    @_disfavoredOverload
    public static func head(_ path: some StringProtocol, query: QueryItems = [:]) -> Self {
        head(EndpointPath(path), query: query)
    }

    /// Sends a body to the resource at a plain-text path, encoded by ``EndpointPath/init(_:)``.
    @_disfavoredOverload
    public static func post(_ path: some StringProtocol, query: QueryItems = [:], body: RequestBody? = nil) -> Self {
        post(EndpointPath(path), query: query, body: body)
    }

    /// Stores the body as the resource at a plain-text path, encoded by ``EndpointPath/init(_:)``.
    @_disfavoredOverload
    public static func put(_ path: some StringProtocol, query: QueryItems = [:], body: RequestBody? = nil) -> Self {
        put(EndpointPath(path), query: query, body: body)
    }

    /// Changes a part of the resource at a plain-text path, encoded by ``EndpointPath/init(_:)``.
    @_disfavoredOverload
    public static func patch(_ path: some StringProtocol, query: QueryItems = [:], body: RequestBody? = nil) -> Self {
        patch(EndpointPath(path), query: query, body: body)
    }

    /// Deletes the resource at a plain-text path, encoded by ``EndpointPath/init(_:)``.
    @_disfavoredOverload
    public static func delete(_ path: some StringProtocol, query: QueryItems = [:], body: RequestBody? = nil) -> Self {
        delete(EndpointPath(path), query: query, body: body)
    }

    /// Requests the communication options at a plain-text path, encoded by ``EndpointPath/init(_:)``.
    @_disfavoredOverload
    public static func options(_ path: some StringProtocol, query: QueryItems = [:]) -> Self {
        options(EndpointPath(path), query: query)
    }
}
