import Synchronization

/// The memory of one `decode` call at a time. Then it is kept for another, with the plans for types, as programs decode the
/// same types again.
///
/// Proof of Sendable: ``take()`` removes it from the list, and ``give()`` is its call's last use.
struct DecodingMemory: @unchecked Sendable {
    let plans = TypePlans()
    /// A table with one place for several objects: if two of them alternate, they are only slower.
    let cursors: UnsafeMutablePointer<ObjectCursor>
    private let stack: UnsafeMutableRawPointer
    private var used = 0

    static let cursorCount = 32
    private static let stackSize = 1 << 14
    private static let spare = Mutex<[DecodingMemory]>([])
    /// More than this many calls at a time find out again.
    private static let limit = 8

    private init() {
        cursors = .allocate(capacity: Self.cursorCount)
        stack = .allocate(byteCount: Self.stackSize, alignment: 16)
    }

    static func take() -> DecodingMemory {
        let memory = spare.withLock { $0.popLast() } ?? DecodingMemory()
        memory.cursors.initialize(repeating: ObjectCursor(), count: cursorCount)
        return memory
    }

    func give() {
        let isKept = Self.spare.withLock { spare in
            guard spare.count < Self.limit else { return false }
            spare.append(self)
            return true
        }
        if isKept { return }
        plans.deallocate()
        cursors.deallocate()
        stack.deallocate()
    }
}

/// What is needed only while a value is decoded. Values are inside of others, so it is a stack.
///
/// `withUnsafeTemporaryAllocation` asks the runtime for the type of its result, which takes longer than to decode a small value.
extension DecodingMemory {
    @inline(__always)
    mutating func push(_ byteCount: Int, alignment: Int) -> UnsafeMutableRawPointer {
        let size = max((byteCount &+ 15) & ~15, 16)
        guard size <= Self.stackSize &- used, alignment <= 16 else {
            return .allocate(byteCount: size, alignment: max(alignment, 16))
        }
        defer { used &+= size }
        return stack + used
    }

    /// Releases the memory that was pushed last.
    @inline(__always)
    mutating func pop(_ memory: UnsafeMutableRawPointer) {
        guard memory >= stack, memory < stack + Self.stackSize else { return memory.deallocate() }
        used = memory - stack
    }
}
