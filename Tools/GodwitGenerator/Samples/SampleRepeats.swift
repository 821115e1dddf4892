/// Finds objects that occur at several places under the same key, such as `author`, and makes one type of them.
struct SampleRepeats {
    /// What makes two objects the same: the last word of their key in the singular, and the keys of their members.
    private struct Signature: Hashable {
        var noun: String
        var keys: [String]

        init?(_ shape: SampleShape, key: String) {
            guard case .object(let members) = shape.kind, members.count >= 2 else { return nil }
            noun = SampleWords.item(key).last ?? ""
            keys = members.map(\.key).sorted()
            if noun.first?.isLetter != true { return nil }
        }
    }

    private struct Group {
        var signature: Signature
        /// `Author`; `Address` for `billing_address` and `shipping_address`.
        var name: String
        var count: Int
        var nodes: [DocumentNode]

        mutating func add(_ shape: SampleShape, key: String) {
            count += 1
            nodes += shape.nodes
            if SampleWords.pascal(SampleWords.item(key)) != name { name = SampleWords.pascal([signature.noun]) }
        }
    }

    private var groups: [Group] = []
    private var indices: [Signature: Int] = [:]
    /// The types that signatures became.
    private var names: [Signature: String] = [:]

    /// Replaces repeated objects by references, in the models and in the bodies.
    static func join(_ models: inout SampleModels, _ payloads: inout [SamplePayload]) {
        var repeats = SampleRepeats()
        for index in models.models.indices { repeats.joinRecursion(&models, index) }
        for model in models.models { repeats.collect(model.shape, key: "") }
        for payload in payloads { payload.shape.map { repeats.collect($0, key: "") } }
        repeats.name(&models)
        for index in models.models.indices {
            models.update(index, repeats.replaced(models.models[index].shape, key: ""))
        }
        for index in payloads.indices {
            payloads[index].shape = payloads[index].shape.map { repeats.replaced($0, key: "") }
        }
    }

    /// The same object inside an object of the same kind isn't entered twice.
    private mutating func collect(_ shape: SampleShape, key: String) {
        if let signature = key.isEmpty ? nil : Signature(shape, key: key) {
            if let index = indices[signature] {
                groups[index].add(shape, key: key)
                return
            }
            indices[signature] = groups.count
            let name = SampleWords.pascal(SampleWords.item(key))
            groups.append(Group(signature: signature, name: name, count: 1, nodes: shape.nodes))
        }
        switch shape.kind {
        case .object(let members): for member in members { collect(member.shape, key: member.key) }
        case .array(let element), .dictionary(let element): collect(element, key: key)
        case .mixed(let parts): for part in parts { collect(part, key: key) }
        case .unknown, .scalar, .reference: break
        }
    }

    private mutating func name(_ models: inout SampleModels) {
        for group in groups {
            let name = group.name
            if let index = models.models.firstIndex(where: { $0.name == name }) {
                // An object with the name and the members of a type is that type.
                let model = models.models[index]
                guard model.shape.keys.sorted() == group.signature.keys, model.shape.hasNoReference,
                    let merged = try? SampleShape(model.shape.nodes + group.nodes, label: name)
                else { continue }
                models.update(index, merged)
            } else {
                guard group.count > 1, let shape = try? SampleShape(group.nodes, label: name) else { continue }
                models.append(name, shape)
            }
            names[group.signature] = name
        }
    }

    private func replaced(_ shape: SampleShape, key: String) -> SampleShape {
        var shape = shape
        if !key.isEmpty, let signature = Signature(shape, key: key), let name = names[signature] {
            shape.kind = .reference(name)
            return shape
        }
        return shape.replacingInner(key: key, replaced)
    }
}

extension SampleRepeats {
    /// A type that contains itself: replies of a comment, children of a category.
    private mutating func joinRecursion(_ models: inout SampleModels, _ index: Int) {
        let model = models.models[index]
        let keys = model.shape.keys.sorted()
        guard keys.count >= 3, model.shape.hasNoReference else { return }
        var nodes: [DocumentNode] = []
        Self.collect(keys, in: model.shape, &nodes)
        guard !nodes.isEmpty, let merged = try? SampleShape(model.shape.nodes + nodes, label: model.name) else {
            return
        }
        models.update(index, Self.referring(to: model.name, keys, in: merged, isRoot: true))
    }

    private static func collect(_ keys: [String], in shape: SampleShape, _ nodes: inout [DocumentNode]) {
        for inner in shape.inner {
            if inner.keys.sorted() == keys { nodes += inner.nodes }
            collect(keys, in: inner, &nodes)
        }
    }

    private static func referring(
        to name: String, _ keys: [String], in shape: SampleShape, isRoot: Bool
    ) -> SampleShape {
        var shape = shape
        if !isRoot, !shape.keys.isEmpty, shape.keys.sorted() == keys {
            shape.kind = .reference(name)
            return shape
        }
        return shape.replacingInner(key: "") { inner, _ in referring(to: name, keys, in: inner, isRoot: false) }
    }
}

extension SampleShape {
    /// The shapes directly inside this one.
    var inner: [SampleShape] {
        switch kind {
        case .object(let members): members.map(\.shape)
        case .array(let element), .dictionary(let element): [element]
        case .mixed(let parts): parts
        case .unknown, .scalar, .reference: []
        }
    }

    /// This shape with each one directly inside replaced.
    ///
    /// - Parameter key: The key of this shape, which elements of a list share.
    func replacingInner(key: String, _ replace: (SampleShape, String) -> SampleShape) -> SampleShape {
        var shape = self
        switch kind {
        case .object(let members):
            shape.kind = .object(
                members.map { member in
                    var member = member
                    member.shape = replace(member.shape, member.key)
                    return member
                })
        case .array(let element): shape.kind = .array(replace(element, key))
        case .dictionary(let value): shape.kind = .dictionary(replace(value, key))
        case .mixed(let parts): shape.kind = .mixed(parts.map { replace($0, key) })
        case .unknown, .scalar, .reference: break
        }
        return shape
    }

    /// Whether the shape can be found again from its values alone.
    var hasNoReference: Bool {
        if case .reference = kind { return false }
        return inner.allSatisfy(\.hasNoReference)
    }
}
