public import GodwitCore

extension MockRoutes {
    /// Adds routes that answer with recorded responses: each request with the same method, path and query in turn, the last
    /// one repeatedly.
    ///
    /// ```swift
    /// let recorded = try Cassette(har: file)
    /// let server = try await MockServer { route in
    ///     route.post("/login").reply(.status(.noContent))       // first, so that it replaces what was recorded
    ///     route.replay(recorded)
    /// }
    /// ```
    ///
    /// Hosts are not compared. A query must have the recorded items in any order; an item whose recorded value is `<redacted>`
    /// may have any value. A `Location` on the recorded host becomes one on this server.
    ///
    /// - Parameters:
    ///   - cassette: A cassette that replays.
    ///   - host: Adds only exchanges with this host. `nil` (the default) means all.
    ///   - fileID: The source file that failures name. Leave it out, as the next three.
    ///   - filePath: Its path.
    ///   - line: The line.
    ///   - column: The column.
    public func replay(
        _ cassette: Cassette, host: String? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        let location = MockSourceLocation(fileID, filePath, line, column)
        var scripts: [RecordedRoute: [MockResponse]] = [:]
        var order: [RecordedRoute] = []
        for exchange in cassette.exchanges where host == nil || exchange.request.url.host == host?.lowercased() {
            let route = RecordedRoute(exchange.request)
            if scripts[route] == nil { order.append(route) }
            scripts[route, default: []].append(MockResponse(exchange))
        }
        for route in order {
            add(route.method, RoutePattern(exactly: route.path), query: route.shownQuery, at: location)
                .where { route.matches($0) }.replies(scripts[route] ?? [])
        }
    }
}

extension MockServer {
    /// Starts a server that answers as an HTTP archive recorded it; see
    /// ``MockRoutes/replay(_:host:fileID:filePath:line:column:)``.
    ///
    /// ```swift
    /// let server = try await MockServer(har: file)
    /// ```
    ///
    /// Throws `.file` if the archive can't be read, and the errors of the other initializers.
    public nonisolated(nonsending) convenience init(
        har file: URL, _ options: Options = Options(), fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async throws(NetworkError) {
        let cassette = try Cassette(har: file)
        try await self.init(options, fileID: fileID, filePath: filePath, line: line, column: column) {
            $0.replay(cassette, fileID: fileID, filePath: filePath, line: line, column: column)
        }
    }
}

/// What a request must have to get recorded responses.
private struct RecordedRoute: Hashable, Sendable {
    private struct Item: Hashable, Comparable {
        let name, value: String

        static func < (left: Item, right: Item) -> Bool { (left.name, left.value) < (right.name, right.value) }
    }

    let method: HTTPMethod
    let path: String
    private let items: [Item]

    init(_ request: HTTPRequest) {
        method = request.method
        path = request.url.path
        items = Self.items(MockRequest(request))
    }

    private static func items(_ request: MockRequest) -> [Item] {
        request.queryItems.map { Item(name: $0.name, value: $0.value) }.sorted()
    }

    /// The items that a message about an unmatched request shows.
    var shownQuery: [String: String] {
        let known = items.filter { !Self.isHidden($0) }
        return Dictionary(known.map { ($0.name, $0.value) }) { first, _ in first }
            .filter { name, _ in known.count { $0.name == name } == 1 }
    }

    func matches(_ request: MockRequest) -> Bool {
        let sent = Self.items(request)
        guard sent.count == items.count else { return false }
        let hidden = Set(items.filter(Self.isHidden).map(\.name))
        return zip(items, sent).allSatisfy { $0.name == $1.name && ($0.value == $1.value || hidden.contains($0.name)) }
    }

    private static func isHidden(_ item: Item) -> Bool {
        item.value == Redaction.mark
    }
}

extension MockResponse {
    fileprivate init(_ exchange: RecordedExchange) {
        var fields = exchange.response.head.fields
        let origin = exchange.request.url.origin
        if let location = fields[.location], let url = try? HTTPURL(location), url.origin == origin {
            fields[.location] = String(url.target)
        }
        // A cassette has the recorded length, which is wrong after an edit of the file.
        if exchange.request.method != .head { fields.remove(.contentLength) }
        self.init(status: exchange.response.head.status, fields: fields, body: exchange.response.body)
    }
}
