/// A step of the path to a value: a container, and which of its values the path goes through.
struct PathStep {
    let container: UInt32
    /// The key's entry in an object, the element's in an array.
    var place: UInt32
    var position: Int
}

extension DecodingSession {
    /// The coding path of a value. Searched from the root, as only errors and few types ask for it.
    ///
    /// The search starts where the last one was in each container: types that try one kind after another make an
    /// error for each element of an array.
    @inline(never)
    func path(to index: UInt32) -> [any CodingKey] {
        if let path = absentPath(index) { return path }
        var path: [any CodingKey] = []
        var (container, depth): (UInt32, Int) = (0, 0)
        while container != index, let step = step(in: container, to: index, depth) {
            let isObject = entry(container).kind == .object
            path.append(
                isObject ? pathKey(step.place, in: container, path) : PathKey(index: step.position))
            container = isObject ? step.place &+ 1 : step.place
            depth &+= 1
        }
        return path
    }

    /// The step in a container at a depth to a value inside of it; `nil` if the value isn't there.
    private func step(in container: UInt32, to index: UInt32, _ depth: Int) -> PathStep? {
        var step = PathStep(container: container, place: container &+ 1, position: 0)
        if depth < lastPath.count, lastPath[depth].container == container, lastPath[depth].place <= index {
            step = lastPath[depth]
        }
        let isObject = entry(container).kind == .object
        while step.place < entry(container).next {
            let end = entry(isObject ? step.place &+ 1 : step.place).next
            if index < end {
                lastPath.removeSubrange(min(depth, lastPath.count)...)
                lastPath.append(step)
                return step
            }
            step.place = end
            step.position &+= 1
        }
        return nil
    }

    private func pathKey(_ index: UInt32, in object: UInt32, _ path: [any CodingKey]) -> any CodingKey {
        verbatimObjects.contains(object) ? PathKey(sentKey(at: index)) : key(at: index, path)
    }

    /// The key of a member of an object with this path, as types spell it.
    private func key(at index: UInt32, _ path: [any CodingKey]) -> any CodingKey {
        let sent = PathKey(sentKey(at: index))
        switch spelling {
        case .plain: return sent
        case .snakeCase: return PathKey(SnakeCase.camel(sent.stringValue))
        case .custom(let convert): return convert(path + [sent])
        }
    }

    /// Passes each member's key as types spell it, in document order, and its entry.
    func forEachKey(of object: UInt32, _ body: (String, UInt32) -> Void) {
        var path: [any CodingKey] = []
        if case .custom = spelling { path = self.path(to: object) }
        var place = object &+ 1
        while place < entry(object).next {
            body(spelling.isPlain ? sentKey(at: place) : key(at: place, path).stringValue, place)
            place = entry(place &+ 1).next
        }
    }
}
