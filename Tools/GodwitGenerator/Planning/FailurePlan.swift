/// A type that error bodies are read as: a struct or an enum.
struct FailurePlan: Sendable, Hashable {
    var type: TypeName
    /// As in the document: `404`, `4XX`; empty for any status.
    var statuses: [String] = []
    /// The property with words for a person, as a path: `["error", "message"]`; empty if none is known.
    var message: [String] = []
}

/// The types of error bodies in the order in which they are tried.
///
/// A type is read for the statuses that the document has it for. Of those for one status, the one with most required members
/// comes first, as a body that has them all is one of it; then the one that most operations have. That one is tried last for any
/// other status, as servers answer with more of them than a document names.
struct FailureTypes {
    private struct Use {
        let name: TypeName
        /// Without duplicates, in the order of the document; `default` is one.
        var statuses: [String] = []
        var count = 0
        let operation: OperationPlan
        let required: Set<String>
        /// `nil` if it can have any.
        let known: Set<String>?
    }

    private let index: ModelIndex
    private var uses: [Use] = []
    /// How many responses are problem documents (RFC 9457), which the client reads by itself.
    private var problemCount = 0

    init(of operations: [OperationPlan], _ index: ModelIndex) {
        self.index = index
        var places: [TypeName: Int] = [:]
        for operation in operations {
            for failure in operation.failures {
                guard let use = use(of: failure, in: operation) else { continue }
                let place = places[use.name] ?? uses.count
                if place == uses.count { uses.append(use) }
                places[use.name] = place
                uses[place].count += 1
                if !uses[place].statuses.contains(failure.status) { uses[place].statuses.append(failure.status) }
            }
        }
        uses.sort { left, right in
            (right.required.count, right.count, left.name) < (left.required.count, left.count, right.name)
        }
    }

    /// `nil` for what isn't a struct or an enum, and for a problem document.
    private mutating func use(of failure: OperationPlan.Failure, in operation: OperationPlan) -> Use? {
        guard let type = failure.type, case .model(let name) = index.resolved(type), let kind = index[name]?.kind else {
            return nil
        }
        switch kind {
        case .structure(let plan):
            let keys = Set(plan.properties.map(\.key))
            let isProblem =
                keys.isSuperset(of: ["title", "detail"]) && !keys.isDisjoint(with: ["status", "type"])
            if isProblem {
                problemCount += 1
                return nil
            }
            return Use(
                name: name, operation: operation,
                required: Set(plan.properties.filter { !$0.type.isOptional }.map(\.key)),
                known: plan.additional == nil ? keys : nil)
        case .union: return Use(name: name, operation: operation, required: [], known: nil)
        case .enumeration, .alias: return nil
        }
    }

    var plans: [FailurePlan] {
        guard let main = uses.max(by: { ($0.count, $1.name) < ($1.count, $0.name) }) else { return [] }
        var plans = uses.map { use in
            let isAny = use.statuses.contains("default")
            return FailurePlan(
                type: use.name, statuses: isAny ? [] : use.statuses, message: message(in: .model(use.name), depth: 0))
        }
        // Those for any status follow those for some.
        plans = plans.filter { !$0.statuses.isEmpty } + plans.filter(\.statuses.isEmpty)
        guard main.count > problemCount else { return plans }
        let any = FailurePlan(type: main.name, message: message(in: .model(main.name), depth: 0))
        if plans.last?.type == main.name { plans.removeLast() }
        if !plans.contains(any) { plans.append(any) }
        return plans
    }

    /// The types that can't be told from one that is tried before.
    var notes: [Note] {
        uses.indices.dropFirst().compactMap { place in
            let use = uses[place]
            let earlier = uses[..<place].first { other in
                !Set(other.statuses).isDisjoint(with: use.statuses)
                    && (use.known.map(other.required.isSubset) ?? other.required.isEmpty)
            }
            guard let earlier, let status = use.statuses.first(where: earlier.statuses.contains) else { return nil }
            return Note(
                .guess,
                "error bodies of the type `\(use.name.text)`, such as for \(status) of `\(use.operation.name)`, are read as "
                    + "`\(earlier.name.text)` if they have its required members", at: use.operation.source.place)
        }
    }

    private func message(in type: SwiftType, depth: Int) -> [String] {
        guard let plan = index.structure(type) else { return [] }
        for key in [
            "message", "detail", "error_description", "error_message", "description", "title", "reason", "error",
        ] {
            guard let property = plan.properties.first(where: { $0.key == key }) else { continue }
            if property.type.unwrapped == .string { return [property.name] }
            guard depth < 2 else { continue }
            let path = message(in: property.type.unwrapped, depth: depth + 1)
            if !path.isEmpty { return [property.name + (property.type.isOptional ? "?" : "")] + path }
        }
        return []
    }
}
