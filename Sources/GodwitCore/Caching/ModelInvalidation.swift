/// The part of a URL that identifies the models to invalidate: everything except the query.
struct ModelPath: Hashable, Sendable {
    /// Origin and path, without a trailing slash.
    let text: String

    init(_ url: HTTPURL) {
        self.init("\(url.origin)\(url.path)")
    }

    private init(_ text: String) {
        self.text = text.last == "/" ? String(text.dropLast()) : text
    }

    /// The path of the collection that contains a resource. `nil` for the root.
    static func parent(of url: HTTPURL) -> ModelPath? {
        let path = url.path.last == "/" ? url.path.dropLast() : url.path[...]
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return nil }
        return ModelPath("\(url.origin)\(path[..<slash])")
    }

    /// The key of the record that marks the path as changed.
    var key: String { "changed \(text)" }
}

/// Records which paths a client's requests change. Its place in the chain is inside coalescing and outside redirects.
struct ModelInvalidating: Middleware {
    let base: Result<HTTPURL, InvalidURL>
    let models: ModelChanges
    let session: AccountSession

    func handles(_ call: Call) -> Bool {
        !call.request.options.invalidatedPaths.isEmpty
            || (call.request.options.modelInvalidation == .byPath && !call.request.method.isSafe)
    }

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let response = try await next(call)
        let paths = changedPaths(call.request, response)
        if !paths.isEmpty { await models.note(paths, session, session.stamp(of: call)) }
        return response
    }

    private func changedPaths(_ request: HTTPRequest, _ response: HTTPResponse) -> Set<ModelPath> {
        let (status, options) = (response.head.status, request.options)
        guard status.isSuccessful || status.kind == .redirection else { return [] }
        var paths: Set<ModelPath> = []
        if options.modelInvalidation == .byPath {
            let urls = CacheInvalidation.urls(
                method: request.method, url: request.url, status: status, response: response.head.fields)
            paths.formUnion(urls.map { ModelPath($0) })
            if !urls.isEmpty, let parent = ModelPath.parent(of: request.url) { paths.insert(parent) }
        }
        guard !options.invalidatedPaths.isEmpty, case .success(let base) = base else { return paths }
        return paths.union(
            options.invalidatedPaths.compactMap { path in
                (try? path.appended(to: base, query: [:])).map { ModelPath($0) }
            })
    }
}

/// Which stored models become stale after a request that changes something.
///
/// ```swift
/// $0.options.modelInvalidation = .off                  // for a client
/// ```
public enum ModelInvalidation: Sendable, Hashable {
    /// Those of the request's path and its parent, with any query: after `PATCH /articles/42`, the models of
    /// `/articles/42`, `/articles` and `/articles?page=2`.
    ///
    /// Applies to methods that aren't safe (POST, PUT, PATCH, DELETE) if the server accepts the request. A
    /// `Content-Location` or `Location` of the same origin counts too.
    case byPath
    /// Only those of the paths in ``Endpoint/invalidating(_:)``.
    case off
}

extension ModelInvalidation: RequestOption {
    public static var defaultValue: ModelInvalidation { .byPath }
    public static var affectsResponse: Bool { false }
}

enum InvalidatedPaths: RequestOption {
    static var defaultValue: [EndpointPath] { [] }
    static var affectsResponse: Bool { false }
}

extension RequestOptions {
    /// Which stored models become stale if the server accepts a request that changes something.
    /// ``ModelInvalidation/byPath`` by default.
    public var modelInvalidation: ModelInvalidation {
        @inline(__always) get { self[ModelInvalidation.self] }
        set { self[ModelInvalidation.self] = newValue }
    }

    /// Further paths below the client's base URL whose stored models become stale.
    var invalidatedPaths: [EndpointPath] {
        @inline(__always) get { self[InvalidatedPaths.self] }
        set { self[InvalidatedPaths.self] = newValue }
    }
}
