/// Which stored models a request that changes something makes stale.
///
/// ```swift
/// $0.options.modelInvalidation = .off                  // for a client
/// ```
public enum ModelInvalidation: Sendable, Hashable {
    /// Those of the request's path and of the path one level up, whatever their query: after `PATCH /articles/42` the
    /// models of `/articles/42`, `/articles` and `/articles?page=2`.
    ///
    /// Counts for methods that are not safe (POST, PUT, PATCH, DELETE) when the server accepts the request. A
    /// `Content-Location` or `Location` of the same origin counts as well.
    case byPath
    /// None, but for those that ``Endpoint/invalidating(_:)`` names.
    case off
}

extension Endpoint {
    /// Makes the stored models of another endpoint stale as well, once the server accepts this one.
    ///
    /// ```swift
    /// try await api.send(.create(draft).invalidating(.feed()))
    /// ```
    ///
    /// All models of that endpoint's path count, whatever their query. Repeated calls add up. The models of this endpoint's
    /// own path, and of the path one level up, become stale anyway: see ``ModelInvalidation/byPath``.
    ///
    /// - Parameter endpoint: What changes with this one.
    public func invalidating<Value>(_ endpoint: Endpoint<Value>) -> Self {
        let path = endpoint.path
        return options { $0.invalidatedPaths.append(path) }
    }
}

extension APIClient {
    /// Makes the stored models of an endpoint stale, as when a message says that they changed.
    ///
    /// ```swift
    /// for try await event in api.events(.live) where event.type == "article" {
    ///     try await api.invalidateModels(of: .article(id: 42))
    /// }
    /// ```
    ///
    /// All models of the endpoint's path count, whatever their query. They stay in their stores; their next reading shows
    /// them as stale, and asks the server.
    ///
    /// - Parameter endpoint: What changed.
    /// - Throws: `.invalidURL` if the endpoint has no URL.
    public func invalidateModels<Value>(of endpoint: Endpoint<Value>) async throws(NetworkError) {
        let url = try url(of: endpoint)
        let stamp = await account.session.begin()
        await account.models.note([ModelPath(url)], account.session, stamp)
    }
}

/// The part of a URL that its stored models are invalidated by: all but the query.
struct ModelPath: Hashable, Sendable {
    /// Origin and path, without a slash at the end.
    let text: String

    init(_ url: HTTPURL) {
        self.init("\(url.origin)\(url.path)")
    }

    private init(_ text: String) {
        self.text = text.last == "/" ? String(text.dropLast()) : text
    }

    /// The path one level up: that of the collection that a resource is in. `nil` at the top.
    static func parent(of url: HTTPURL) -> ModelPath? {
        let path = url.path.last == "/" ? url.path.dropLast() : url.path[...]
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return nil }
        return ModelPath("\(url.origin)\(path[..<slash])")
    }

    /// The name of the record that says in a store that the path changed.
    var key: String { "changed \(text)" }
}

/// Notes which paths a client's requests change. In its chain it stands inside of coalescing and outside of redirects.
struct ModelInvalidating: Middleware {
    let base: Result<HTTPURL, InvalidURL>
    let models: ModelChanges
    let session: AccountSession

    func handles(_ call: Call) -> Bool {
        let options = call.request.options
        return !options.invalidatedPaths.isEmpty
            || (options.modelInvalidation == .byPath && !call.request.method.isSafe)
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
