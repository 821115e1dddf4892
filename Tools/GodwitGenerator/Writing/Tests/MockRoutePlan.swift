/// A route of the mock server.
struct MockRoutePlan: Sendable, Hashable {
    let operation: OperationPlan
    /// As routes are written: `/articles/:id`.
    let pattern: String
    /// What a segment with a parameter and other text ends with, such as `:cancel`; `nil` without such a segment.
    let ending: String?
    /// For each segment: 0 if it is fixed, 1 if it has text and a parameter, 2 for a parameter.
    private let ranks: [Int]

    init(_ operation: OperationPlan) {
        self.operation = operation
        var segments: [[OperationPlan.PathPart]] = [[]]
        for part in operation.path {
            guard case .text(let text) = part else {
                segments[segments.count - 1].append(part)
                continue
            }
            let pieces = text.split(separator: "/", omittingEmptySubsequences: false)
            for (index, piece) in pieces.enumerated() {
                if index > 0 { segments.append([]) }
                if !piece.isEmpty { segments[segments.count - 1].append(.text(String(piece))) }
            }
        }
        if segments.first == [] { segments.removeFirst() }
        pattern = "/" + segments.map(Self.pattern).joined(separator: "/")
        ranks = segments.map { $0.allSatisfy(\.isText) ? 0 : $0.count > 1 ? 1 : 2 }
        ending = segments.last.flatMap { segment in
            guard segment.count > 1, case .text(let text) = segment.last else { return nil }
            return text
        }
    }

    private static func pattern(_ segment: [OperationPlan.PathPart]) -> String {
        if segment.count == 1, case .parameter(let name) = segment[0] { return ":" + name }
        if segment.contains(where: { !$0.isText }) { return ":segment" }
        return segment.map { part in if case .text(let text) = part { text } else { "" } }.joined()
    }

    /// Whether the route must come first, as the other one answers its requests too.
    func precedes(_ other: MockRoutePlan) -> Bool { ranks.lexicographicallyPrecedes(other.ranks) }

    /// The media type that a request must accept, as another operation of the same path and method answers with another
    /// one; `nil` for the one that answers all other requests.
    func neededType(in plan: ClientPlan) -> String? {
        if let variant = operation.variant { return variant.mediaType }
        guard case .events = operation.response else { return nil }
        let isShared = plan.operations.contains { other in
            other.name != operation.name && other.source.path == operation.source.path
                && other.method == operation.method
        }
        return isShared ? "text/event-stream" : nil
    }

    /// Whether it answers only some of the requests of its path and method.
    private var isConditional: Bool { operation.variant != nil || operation.response.isStream }

    /// The names of operations whose requests another operation's route answers: their paths differ only after a `#`.
    static func hidden(in plan: ClientPlan) -> Set<String> {
        var (seen, hidden) = (Set<String>(), Set<String>())
        for route in all(of: plan) {
            let operation = route.operation
            let query = operation.fixedQuery.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
            let pattern = route.pattern.split(separator: "/").map { $0.hasPrefix(":") ? ":" : $0 }.joined(
                separator: "/")
            let key = [operation.method, pattern, route.ending ?? "", query, route.neededType(in: plan) ?? ""]
            if !seen.insert(key.joined(separator: " ")).inserted { hidden.insert(operation.name) }
        }
        return hidden
    }

    /// The routes of an API, in an order in which each one is reached.
    static func all(of plan: ClientPlan) -> [MockRoutePlan] {
        plan.operations.map(MockRoutePlan.init).enumerated().sorted { left, right in
            if left.element.precedes(right.element) { return true }
            if right.element.precedes(left.element) { return false }
            let (one, other) = (left.element.operation.fixedQuery.count, right.element.operation.fixedQuery.count)
            if one != other { return one > other }
            // Of the operations with one path, all but the main one have a condition.
            let conditions = (left.element.isConditional, right.element.isConditional)
            return conditions.0 == conditions.1 ? left.offset < right.offset : conditions.0
        }.map(\.element)
    }
}

extension OperationPlan.PathPart {
    fileprivate var isText: Bool {
        if case .text = self { true } else { false }
    }
}
