/// The samples of one operation.
struct SampleOperation: Sendable {
    var id: String
    var method: String
    var path: SamplePath
    var route: SampleRoute
    /// In the order of the samples; never empty.
    var exchanges: [SampleExchange]
    /// That of the samples, if it isn't the API's.
    var origin: String?

    var place: SourcePlace { exchanges.first?.place ?? SourcePlace(file: "samples") }

    /// Joins samples with the same method and the same template of a path, in the order of the samples.
    static func operations(_ exchanges: [SampleExchange], base: SampleBase) -> [SampleOperation] {
        let templates = SamplePathTemplates(
            exchanges.map { exchange in
                let answer = exchange.isFailure ? nil : exchange.answer?.json
                return .init(method: exchange.method, segments: exchange.segments, answer: answer)
            })
        var (order, groups) = ([String](), [String: [Int]]())
        for (index, exchange) in exchanges.enumerated() {
            let names = templates.paths[index].map { $0.flatMap { SamplePath.templateName($0) == nil ? $0 : nil } }
            let path = names.map { $0 ?? "{}" }.joined(separator: "/")
            let key = "\(exchange.method) \(exchange.target.origin ?? base.origin ?? "") \(path)"
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(index)
        }
        let operations = order.compactMap { groups[$0] }.compactMap { indices -> SampleOperation? in
            // A name that a person gave to a parameter is better than a guessed one.
            let named = indices.first { templates.paths[$0].contains { $0.flatMap(SamplePath.templateName) != nil } }
            guard let first = named ?? indices.first else { return nil }
            let path = SamplePath(templates.paths[first])
            let exchange = exchanges[first]
            return SampleOperation(
                id: "", method: exchange.method, path: path, route: SampleRoute(path, method: exchange.method),
                exchanges: indices.map { exchanges[$0] },
                origin: exchange.target.origin == base.origin ? nil : exchange.target.origin)
        }
        return named(operations)
    }

    private static func named(_ operations: [SampleOperation]) -> [SampleOperation] {
        let names = SampleOperationNames.names(operations.map { ($0.method, $0.path) })
        return zip(operations, names).map { operation, name in
            var operation = operation
            operation.id = name
            return operation
        }
    }

    /// The first segment of the path that isn't a version.
    var tag: String? {
        for case .name(let name) in path.segments where !SwiftName.isBaseSegment(name) { return name }
        return nil
    }
}

/// The part of the URLs that all operations have in common.
struct SampleBase: Sendable {
    /// `https://api.example.com`; `nil` if all samples have paths only.
    var origin: String?
    /// `api`, `v1`
    var segments: [String] = []

    var url: String? { origin.map { ([$0] + segments).joined(separator: "/") } }

    /// Takes the origin of most samples, and the version that all of its paths begin with.
    init(_ exchanges: [SampleExchange]) {
        var (origins, counts) = ([String](), [String: Int]())
        for origin in exchanges.compactMap(\.target.origin) {
            if counts[origin] == nil { origins.append(origin) }
            counts[origin, default: 0] += 1
        }
        guard let first = origins.first else { return }
        origin = origins.dropFirst().reduce(first) { (counts[$1] ?? 0) > (counts[$0] ?? 0) ? $1 : $0 }
        let paths = exchanges.filter { $0.target.origin == origin }.map(\.segments)
        segments = Array((paths.first ?? []).prefix { SwiftName.isBaseSegment($0) })
        for path in paths {
            segments = zip(segments, path).prefix { $0 == $1 }.map(\.0)
        }
    }

    /// The segments below the base; those of another server are kept.
    func relative(_ exchange: SampleExchange) -> [String] {
        let isHere = exchange.target.origin == nil || exchange.target.origin == origin
        guard isHere, exchange.segments.starts(with: segments) else { return exchange.segments }
        return Array(exchange.segments.dropFirst(segments.count))
    }
}
