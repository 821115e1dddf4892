extension TypePlanner {
    /// Plans named types that no operation and no webhook uses.
    mutating func planUnused(_ names: [String]) {
        for name in names where usage.directions[name] == nil {
            _ = type(of: Schema(.reference(name)), .whole, at: Place(parent: nil, name: name))
        }
    }

    /// Types that contain themselves get a box where the circle closes: a struct's size must be known.
    mutating func breakCycles() {
        var finished: Set<TypeName> = []
        for name in models.keys.sorted() where !finished.contains(name) {
            var path: [TypeName] = []
            visit(name, &path, &finished)
        }
    }

    private mutating func visit(_ name: TypeName, _ path: inout [TypeName], _ finished: inout Set<TypeName>) {
        path.append(name)
        defer {
            path.removeLast()
            finished.insert(name)
        }
        for next in contained(in: name) where !finished.contains(next) || path.contains(next) {
            if let start = path.firstIndex(of: next) {
                close(path[start...], from: name, to: next)
            } else {
                visit(next, &path, &finished)
            }
        }
    }

    /// The types whose values are stored in values of a type.
    private func contained(in name: TypeName) -> [TypeName] {
        switch models[name]?.kind {
        case .structure(let plan): plan.properties.compactMap { Self.stored(in: $0.type) }
        case .union(let plan): plan.isIndirect ? [] : plan.cases.compactMap { Self.stored(in: $0.type) }
        default: []
        }
    }

    private static func stored(in type: SwiftType) -> TypeName? {
        switch type {
        case .model(let name): name
        case .optional(let wrapped), .patch(let wrapped): stored(in: wrapped)
        case .builtin, .open, .array, .dictionary, .indirect: nil
        }
    }

    /// An enum of the circle becomes indirect; if there is none, the property that closes it gets a box.
    private mutating func close(_ circle: ArraySlice<TypeName>, from last: TypeName, to first: TypeName) {
        for name in circle {
            guard case .union(var plan) = models[name]?.kind else { continue }
            plan.isIndirect = true
            return update(name, .union(plan))
        }
        guard case .structure(var plan) = models[last]?.kind else { return }
        for index in plan.properties.indices where Self.stored(in: plan.properties[index].type) == first {
            plan.properties[index].type = Self.boxed(plan.properties[index].type)
        }
        update(last, .structure(plan))
    }

    private static func boxed(_ type: SwiftType) -> SwiftType {
        switch type {
        case .optional(let wrapped): .optional(boxed(wrapped))
        case .patch(let wrapped): .patch(boxed(wrapped))
        default: .indirect(type)
        }
    }
}
