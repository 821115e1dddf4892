/// Decides which generation of an account is current, and when the data of earlier ones can be removed.
///
/// ```text
/// settled(n) ── advance ──▶ changing(n + 1) ── data removed: settle ──▶ settled(n + 1)
/// ```
struct AccountRecord: Sendable {
    private(set) var generation: UInt64 = 1
    init() {}

    /// How many changes are in progress: the former account's data is still being removed.
    private var changes = 0
    /// How many calls of the current generation are storing data.
    private var keepers = 0
    /// How many calls of earlier generations are storing data.
    private var formerKeepers = 0

    var isChanging: Bool { changes > 0 }
    var hasChanged: Bool { generation > 1 }

    /// Whether no call of an earlier generation is storing data, so that its data can be removed.
    var isDrained: Bool { formerKeepers == 0 }

    /// The generation and whether a change is in progress, in one word.
    var mark: UInt64 { generation << 1 | (isChanging ? 1 : 0) }

    static func generation(_ mark: UInt64) -> UInt64 { mark >> 1 }
    static func isChanging(_ mark: UInt64) -> Bool { mark & 1 == 1 }

    /// Starts the generation of another account, or of none.
    mutating func advance() {
        generation += 1
        changes += 1
        formerKeepers += keepers
        keepers = 0
    }

    /// Ends a change: the former account's data has been removed.
    mutating func settle() {
        changes -= 1
    }

    /// Whether a call of a generation may store data. If so, call `endKeeping` afterwards.
    mutating func beginKeeping(in generation: UInt64) -> Bool {
        guard generation == self.generation else { return false }
        keepers += 1
        return true
    }

    mutating func endKeeping(in generation: UInt64) {
        if generation == self.generation { keepers -= 1 } else { formerKeepers -= 1 }
    }
}
