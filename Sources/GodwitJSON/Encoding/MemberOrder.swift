/// Puts the members of an object in their final order: sorted if asked, and of those with the same key only the last.
struct MemberOrder {
    private let storage: EncodingStorage
    private var members: [Member] = []
    private var table: [UInt64] = []

    private struct Member {
        let rank: UInt64
        let node: EncodedNode.Index
    }

    init(storage: EncodingStorage) {
        self.storage = storage
    }

    /// Relinks the children of a container, without those that were discarded.
    ///
    /// - Throws: If one key has an object and an array. Foundation traps.
    mutating func settle(_ container: EncodedNode.Index) throws {
        let node = storage.nodes[container]
        if node.hasDiscarded { removeDiscarded(from: container) }
        guard node.shape == .object, node.count > 1 else { return }
        if storage.options.sortsKeys {
            guard !isAscending(container) else { return }
            gather(container)
            sort()
            try removeDuplicates()
            link(to: container)
        } else {
            gather(container)
            guard mayHaveDuplicates() else { return }
            sort()
            try removeDuplicates()
            removeDiscarded(from: container)
        }
    }

    private func removeDiscarded(from container: EncodedNode.Index) {
        var (kept, child) = (EncodedNode.none, storage.nodes[container].firstChild)
        storage.nodes[container].firstChild = EncodedNode.none
        while child != EncodedNode.none {
            let next = storage.nodes[child].next
            if storage.nodes[child].shape != .discarded {
                link(child, after: kept, in: container)
                kept = child
            }
            child = next
        }
        storage.nodes[container].lastChild = kept
    }

    /// Makes a child the last of its container.
    private func link(_ child: EncodedNode.Index, after last: EncodedNode.Index, in container: EncodedNode.Index) {
        storage.nodes[child].next = EncodedNode.none
        if last == EncodedNode.none {
            storage.nodes[container].firstChild = child
        } else {
            storage.nodes[last].next = child
        }
    }

    private func link(to container: EncodedNode.Index) {
        var last = EncodedNode.none
        for member in members where storage.nodes[member.node].shape != .discarded {
            link(member.node, after: last, in: container)
            last = member.node
        }
        storage.nodes[container].lastChild = last
    }

    private mutating func gather(_ object: EncodedNode.Index) {
        members.removeAll(keepingCapacity: true)
        members.reserveCapacity(32)
        var child = storage.nodes[object].firstChild
        while child != EncodedNode.none {
            members.append(Member(rank: storage.nodes[child].rank, node: child))
            child = storage.nodes[child].next
        }
    }
}

// MARK: - Sorting

extension MemberOrder {
    private func isAscending(_ object: EncodedNode.Index) -> Bool {
        var child = storage.nodes[object].firstChild
        while child != EncodedNode.none {
            let next = storage.nodes[child].next
            if next == EncodedNode.none { return true }
            let (rank, following) = (storage.nodes[child].rank, storage.nodes[next].rank)
            guard rank < following || (rank == following && Self.order(child, next, storage) < 0) else { return false }
            child = next
        }
        return true
    }

    /// Sorts by key, then by the order of encoding: nodes are created in it.
    private mutating func sort() {
        let storage = storage
        guard members.count <= 48 else {
            members.sort { Self.precedes($0, $1, storage) }
            return
        }
        // Few members are sorted by insertion, without the buffer of the general sort.
        members.withUnsafeMutableBufferPointer { members in
            for place in members.indices.dropFirst() {
                let member = members[place]
                var target = place
                while target > 0, Self.precedes(member, members[target &- 1], storage) {
                    members[target] = members[target &- 1]
                    target &-= 1
                }
                members[target] = member
            }
        }
    }

    @inline(__always)
    private static func precedes(_ one: Member, _ other: Member, _ storage: EncodingStorage) -> Bool {
        if one.rank != other.rank { return one.rank < other.rank }
        let order = order(one.node, other.node, storage)
        return order == 0 ? one.node < other.node : order < 0
    }

    /// Compares keys as Foundation does: by their bytes in UTF-8.
    private static func order(
        _ one: EncodedNode.Index, _ other: EncodedNode.Index, _ storage: EncodingStorage
    ) -> Int {
        let (left, right) = (storage.key(of: one), storage.key(of: other))
        let shared = min(left.count, right.count)
        var place = 0
        while place &+ 8 <= shared {
            let (one, other) = (word(left, place), word(right, place))
            if one != other { return one < other ? -1 : 1 }
            place &+= 8
        }
        while place < shared {
            if left[place] != right[place] { return left[place] < right[place] ? -1 : 1 }
            place &+= 1
        }
        return left.count - right.count
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> UInt64 {
        UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: place, as: UInt64.self).bigEndian
    }
}

// MARK: - Duplicates

extension MemberOrder {
    /// Whether two members have the same rank. Linear also for objects of many members.
    private mutating func mayHaveDuplicates() -> Bool {
        guard members.count > 12 else {
            for place in members.indices {
                for other in members.indices[..<place] where members[other].rank == members[place].rank { return true }
            }
            return false
        }
        let size = 1 << (Int.bitWidth &- (members.count &* 2).leadingZeroBitCount)
        table.removeAll(keepingCapacity: true)
        table.append(contentsOf: repeatElement(0, count: size))
        // Keys chosen to collide end in the sort, which is not slower for them.
        var steps = 4 &* members.count
        for member in members {
            let rank = member.rank | 1
            var slot = Int(truncatingIfNeeded: rank >> 20) & (size &- 1)
            while table[slot] != 0 {
                if table[slot] == rank || steps == 0 { return true }
                steps &-= 1
                slot = (slot &+ 1) & (size &- 1)
            }
            table[slot] = rank
        }
        return false
    }

    /// Discards members whose key comes again; those of a nested container that is continued get its members.
    private func removeDuplicates() throws {
        for (earlier, later) in zip(members, members.dropFirst())
        where earlier.rank == later.rank && Self.order(earlier.node, later.node, storage) == 0 {
            if storage.nodes[later.node].continues { try move(from: earlier.node, to: later.node) }
            storage.nodes[earlier.node].shape = .discarded
        }
    }

    /// Puts the children of a container before those of the one that continues it.
    private func move(from earlier: EncodedNode.Index, to later: EncodedNode.Index) throws {
        let (old, new) = (storage.nodes[earlier], storage.nodes[later])
        guard old.shape == new.shape else {
            throw storage.invalid(String?.none as Any, "the key already has a value of another kind", at: later)
        }
        var child = old.firstChild
        while child != EncodedNode.none {
            storage.nodes[child].parent = later
            child = storage.nodes[child].next
        }
        storage.nodes[later].count &+= old.count
        if old.hasDiscarded { storage.nodes[later].hasDiscarded = true }
        guard old.lastChild != EncodedNode.none else { return }
        storage.nodes[old.lastChild].next = new.firstChild
        storage.nodes[later].firstChild = old.firstChild
        if new.lastChild == EncodedNode.none { storage.nodes[later].lastChild = old.lastChild }
    }
}
