extension DecodingSession {
    /// The coding path of a value. Searched from the root, as only errors and few types ask for it.
    @inline(never)
    func path(to index: UInt32) -> [any CodingKey] {
        if let path = absentPath(index) { return path }
        var path: [any CodingKey] = []
        var container: UInt32 = 0
        while container != index {
            guard let (key, child) = step(from: container, to: index, path) else { return path }
            path.append(key)
            container = child
        }
        return path
    }

    /// The array or object that contains a value or key.
    func parent(of index: UInt32) -> UInt32 {
        var container: UInt32 = 0
        while let child = child(of: container, containing: index), child.value != index, child.key != index {
            container = child.value
        }
        return container
    }

    private func step(
        from container: UInt32, to index: UInt32, _ path: [any CodingKey]
    ) -> (key: any CodingKey, child: UInt32)? {
        guard let child = child(of: container, containing: index) else { return nil }
        guard let keyIndex = child.key else { return (PathKey(position: child.position), child.value) }
        return (pathKey(keyIndex, in: container, path), child.value)
    }

    /// The key of a member of an object with this path.
    func pathKey(_ index: UInt32, in object: UInt32, _ path: [any CodingKey]) -> any CodingKey {
        guard let sent = sentKey(at: index) else { return PathKey(String(decoding: text(entry(index)), as: UTF8.self)) }
        switch spelling {
        case _ where verbatimObjects.contains(object): return PathKey(sent)
        case .plain: return PathKey(sent)
        case .snakeCase: return PathKey(SnakeCaseKey.camel(sent))
        case .custom(let convert): return convert(path + [PathKey(sent)])
        }
    }

    private func child(
        of container: UInt32, containing index: UInt32
    ) -> (key: UInt32?, value: UInt32, position: Int)? {
        let isObject = entry(container).kind == .object
        var (place, position) = (container &+ 1, 0)
        while place < entry(container).next {
            let value = isObject ? place &+ 1 : place
            let end = entry(value).next
            if index < end { return (isObject ? place : nil, value, position) }
            (place, position) = (end, position &+ 1)
        }
        return nil
    }
}
