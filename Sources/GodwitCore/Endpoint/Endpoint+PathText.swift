// Paths in variables. Literals and interpolations are an ``EndpointPath``, whose values are encoded one by one; these overloads
// lose against that one, and take what is a string already.
extension Endpoint where Response: Decodable {
    /// Makes an endpoint with any method and a path in plain text, encoded as ``EndpointPath/init(_:)`` says.
    @_disfavoredOverload
    public static func custom(
        _ method: HTTPMethod, _ path: some StringProtocol, query: QueryItems = [:], body: RequestBody? = nil
    ) -> Self {
        custom(method, EndpointPath(path), query: query, body: body)
    }

    /// Reads the resource at a path in plain text, encoded as ``EndpointPath/init(_:)`` says.
    @_disfavoredOverload
    public static func get(_ path: some StringProtocol, query: QueryItems = [:]) -> Self {
        get(EndpointPath(path), query: query)
    }

    /// Sends content to the resource at a path in plain text, encoded as ``EndpointPath/init(_:)`` says.
    @_disfavoredOverload
    public static func post(
        _ path: some StringProtocol, query: QueryItems = [:], body: RequestBody? = nil
    ) -> Self {
        post(EndpointPath(path), query: query, body: body)
    }

    /// Stores content as the resource at a path in plain text, encoded as ``EndpointPath/init(_:)`` says.
    @_disfavoredOverload
    public static func put(
        _ path: some StringProtocol, query: QueryItems = [:], body: RequestBody? = nil
    ) -> Self {
        put(EndpointPath(path), query: query, body: body)
    }

    /// Changes a part of the resource at a path in plain text, encoded as ``EndpointPath/init(_:)`` says.
    @_disfavoredOverload
    public static func patch(
        _ path: some StringProtocol, query: QueryItems = [:], body: RequestBody? = nil
    ) -> Self {
        patch(EndpointPath(path), query: query, body: body)
    }

    /// Deletes the resource at a path in plain text, encoded as ``EndpointPath/init(_:)`` says.
    @_disfavoredOverload
    public static func delete(
        _ path: some StringProtocol, query: QueryItems = [:], body: RequestBody? = nil
    ) -> Self {
        delete(EndpointPath(path), query: query, body: body)
    }

    /// Asks what the resource offers at a path in plain text, encoded as ``EndpointPath/init(_:)`` says.
    @_disfavoredOverload
    public static func options(_ path: some StringProtocol, query: QueryItems = [:]) -> Self {
        options(EndpointPath(path), query: query)
    }
}

extension Endpoint where Response == Void {
    /// Makes an endpoint with any method and a path in plain text, encoded as ``EndpointPath/init(_:)`` says.
    @_disfavoredOverload
    public static func custom(
        _ method: HTTPMethod, _ path: some StringProtocol, query: QueryItems = [:], body: RequestBody? = nil
    ) -> Self {
        custom(method, EndpointPath(path), query: query, body: body)
    }

    /// Reads the resource at a path in plain text, encoded as ``EndpointPath/init(_:)`` says.
    @_disfavoredOverload
    public static func get(_ path: some StringProtocol, query: QueryItems = [:]) -> Self {
        get(EndpointPath(path), query: query)
    }

    /// Asks for the fields of the resource at a path in plain text, encoded as ``EndpointPath/init(_:)`` says.
    @_disfavoredOverload
    public static func head(_ path: some StringProtocol, query: QueryItems = [:]) -> Self {
        head(EndpointPath(path), query: query)
    }

    /// Sends content to the resource at a path in plain text, encoded as ``EndpointPath/init(_:)`` says.
    @_disfavoredOverload
    public static func post(
        _ path: some StringProtocol, query: QueryItems = [:], body: RequestBody? = nil
    ) -> Self {
        post(EndpointPath(path), query: query, body: body)
    }

    /// Stores content as the resource at a path in plain text, encoded as ``EndpointPath/init(_:)`` says.
    @_disfavoredOverload
    public static func put(
        _ path: some StringProtocol, query: QueryItems = [:], body: RequestBody? = nil
    ) -> Self {
        put(EndpointPath(path), query: query, body: body)
    }

    /// Changes a part of the resource at a path in plain text, encoded as ``EndpointPath/init(_:)`` says.
    @_disfavoredOverload
    public static func patch(
        _ path: some StringProtocol, query: QueryItems = [:], body: RequestBody? = nil
    ) -> Self {
        patch(EndpointPath(path), query: query, body: body)
    }

    /// Deletes the resource at a path in plain text, encoded as ``EndpointPath/init(_:)`` says.
    @_disfavoredOverload
    public static func delete(
        _ path: some StringProtocol, query: QueryItems = [:], body: RequestBody? = nil
    ) -> Self {
        delete(EndpointPath(path), query: query, body: body)
    }

    /// Asks what the resource offers at a path in plain text, encoded as ``EndpointPath/init(_:)`` says.
    @_disfavoredOverload
    public static func options(_ path: some StringProtocol, query: QueryItems = [:]) -> Self {
        options(EndpointPath(path), query: query)
    }
}
