import Synchronization

/// Memory that large encodings leave for later ones. The system clears each page that it gives away, which took more
/// than a third of the time of a large document (decision 095).
enum SpareMemory {
    /// A block that only its holder uses: an encoding, or the list of spare ones.
    struct Block: Sendable {
        // Safe, as `take(atLeast:)` removes a block from the list, and `give(_:)` is its holder's last use.
        nonisolated(unsafe) let start: UnsafeMutableRawPointer
        let count: Int
    }

    /// Smaller blocks stay with the process when they are freed.
    private static let smallest = 64 << 10
    private static let largest = 4 << 20
    private static let limit = 2

    private static let blocks = Mutex<[Block]>([])

    /// Returns a block with undefined bytes.
    static func take(atLeast count: Int) -> Block {
        if (smallest...largest).contains(count), let spare = spare(atLeast: count) { return spare }
        return Block(start: .allocate(byteCount: count, alignment: 16), count: count)
    }

    private static func spare(atLeast count: Int) -> Block? {
        blocks.withLock { blocks in
            blocks.firstIndex { $0.count >= count }.map { blocks.remove(at: $0) }
        }
    }

    /// Keeps a block if it is one of the largest, and frees it otherwise.
    static func give(_ block: Block) {
        var surplus: Block? = block
        if (smallest...largest).contains(block.count) {
            surplus = blocks.withLock { blocks in
                blocks.append(block)
                blocks.sort { $0.count < $1.count }
                return blocks.count > limit ? blocks.removeFirst() : nil
            }
        }
        surplus?.start.deallocate()
    }
}
