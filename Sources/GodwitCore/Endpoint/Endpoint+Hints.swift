// What the compiler says where a response type cannot be read: without these it finds the members of extensions for
// other types, and speaks of their constraints. They lose against every extension whose constraints hold.
extension Endpoint {
    /// Not available: the type of the response has to be `Decodable`, or `Void`.
    @available(*, unavailable, message: "the response type is not Decodable: declare 'nonisolated struct …: Decodable'")
    @_disfavoredOverload
    public static func custom(
        _ method: HTTPMethod, _ path: EndpointPath, query: QueryItems = [:], body: RequestBody? = nil
    ) -> Self { unreadable(method, path) }

    /// Not available: the type of the response has to be `Decodable`, or `Void`.
    @available(*, unavailable, message: "the response type is not Decodable: declare 'nonisolated struct …: Decodable'")
    @_disfavoredOverload
    public static func get(_ path: EndpointPath, query: QueryItems = [:]) -> Self { unreadable(.get, path) }

    /// Not available: the type of the response has to be `Decodable`, or `Void`.
    @available(*, unavailable, message: "the response type is not Decodable: declare 'nonisolated struct …: Decodable'")
    @_disfavoredOverload
    public static func post(_ path: EndpointPath, query: QueryItems = [:], body: RequestBody? = nil) -> Self {
        unreadable(.post, path)
    }

    /// Not available: the type of the response has to be `Decodable`, or `Void`.
    @available(*, unavailable, message: "the response type is not Decodable: declare 'nonisolated struct …: Decodable'")
    @_disfavoredOverload
    public static func put(_ path: EndpointPath, query: QueryItems = [:], body: RequestBody? = nil) -> Self {
        unreadable(.put, path)
    }

    /// Not available: the type of the response has to be `Decodable`, or `Void`.
    @available(*, unavailable, message: "the response type is not Decodable: declare 'nonisolated struct …: Decodable'")
    @_disfavoredOverload
    public static func patch(_ path: EndpointPath, query: QueryItems = [:], body: RequestBody? = nil) -> Self {
        unreadable(.patch, path)
    }

    /// Not available: the type of the response has to be `Decodable`, or `Void`.
    @available(*, unavailable, message: "the response type is not Decodable: declare 'nonisolated struct …: Decodable'")
    @_disfavoredOverload
    public static func delete(_ path: EndpointPath, query: QueryItems = [:], body: RequestBody? = nil) -> Self {
        unreadable(.delete, path)
    }

    /// Not available: the type of the response has to be `Decodable`, or `Void`.
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
    /// Not available: a dictionary of mixed values is not `Encodable`.
    @available(
        *, unavailable,
        message:
            "values of several kinds are not Encodable together: declare a struct, or send .data(bytes, type: .json)"
    )
    @_disfavoredOverload
    public static func json(_ value: [String: Any]) -> RequestBody { .data(Data(), type: .json) }
}
