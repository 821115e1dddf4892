// Better compiler errors for a response type that can't be decoded: without these overloads, the compiler reports the
// constraints of unrelated extensions. Every matching extension is preferred over them.
extension Endpoint {
    /// Unavailable: the response type must be `Decodable`, or `Void`.
    @available(*, unavailable, message: "the response type is not Decodable: declare 'nonisolated struct …: Decodable'")
    @_disfavoredOverload
    public static func custom(
        _ method: HTTPMethod, _ path: EndpointPath, query: QueryItems = [:], body: RequestBody? = nil
    ) -> Self { unreadable(method, path) }

    /// Unavailable: the response type must be `Decodable`, or `Void`.
    @available(*, unavailable, message: "the response type is not Decodable: declare 'nonisolated struct …: Decodable'")
    @_disfavoredOverload
    public static func get(_ path: EndpointPath, query: QueryItems = [:]) -> Self { unreadable(.get, path) }

    /// Unavailable: the response type must be `Decodable`, or `Void`.
    @available(*, unavailable, message: "the response type is not Decodable: declare 'nonisolated struct …: Decodable'")
    @_disfavoredOverload
    public static func post(_ path: EndpointPath, query: QueryItems = [:], body: RequestBody? = nil) -> Self {
        unreadable(.post, path)
    }

    /// Unavailable: the response type must be `Decodable`, or `Void`.
    @available(*, unavailable, message: "the response type is not Decodable: declare 'nonisolated struct …: Decodable'")
    @_disfavoredOverload
    public static func put(_ path: EndpointPath, query: QueryItems = [:], body: RequestBody? = nil) -> Self {
        unreadable(.put, path)
    }

    /// Unavailable: the response type must be `Decodable`, or `Void`.
    @available(*, unavailable, message: "the response type is not Decodable: declare 'nonisolated struct …: Decodable'")
    @_disfavoredOverload
    public static func patch(_ path: EndpointPath, query: QueryItems = [:], body: RequestBody? = nil) -> Self {
        unreadable(.patch, path)
    }

    /// Unavailable: the response type must be `Decodable`, or `Void`.
    @available(*, unavailable, message: "the response type is not Decodable: declare 'nonisolated struct …: Decodable'")
    @_disfavoredOverload
    public static func delete(_ path: EndpointPath, query: QueryItems = [:], body: RequestBody? = nil) -> Self {
        unreadable(.delete, path)
    }

    /// Unavailable: the response type must be `Decodable`, or `Void`.
    @available(*, unavailable, message: "the response type is not Decodable: declare 'nonisolated struct …: Decodable'")
    @_disfavoredOverload
    public static func options(_ path: EndpointPath, query: QueryItems = [:]) -> Self { unreadable(.options, path) }

    private static func unreadable(_ method: HTTPMethod, _ path: EndpointPath) -> Self {
        Self(method: method, path: path, accept: "*/*") { (_, _, _) throws(NetworkError) in
            throw NetworkError(.unsupported(feature: "\(Response.self)", on: "an endpoint"), phase: .decoding)
        }
    }
}

extension RequestBody {
    /// Unavailable: a dictionary of mixed values isn't `Encodable`.
    @available(
        *, unavailable,
        message:
            "values of several kinds are not Encodable together: declare a struct, or send .data(bytes, type: .json)"
    )
    @_disfavoredOverload
    public static func json(_ value: [String: Any]) -> RequestBody { .data(Data(), type: .json) }
}
