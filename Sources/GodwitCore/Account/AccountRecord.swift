/// Which generation of the account is current, and who still stores something for an earlier one: a value without tasks.
///
/// ```text
/// settled(n) ── advance ──▶ changing(n + 1) ── former stores done, data removed: settle ──▶ settled(n + 1)
/// ```
package struct AccountRecord: Sendable {
    package private(set) var generation: UInt64 = 1
    package init() {}

    /// How many changes are in progress: the data of a former account is not gone yet.
    private var changes = 0
    /// How many calls of the current generation are storing something.
    private var keepers = 0
    /// How many calls of earlier generations are.
    private var formerKeepers = 0

    package var isChanging: Bool { changes > 0 }
    package var hasChanged: Bool { generation > 1 }

    /// Whether no call of an earlier generation is storing anything: its data can be removed for good.
    package var isDrained: Bool { formerKeepers == 0 }

    /// Generation and state of change in one word.
    package var mark: UInt64 { generation << 1 | (isChanging ? 1 : 0) }

    package static func generation(_ mark: UInt64) -> UInt64 { mark >> 1 }
    package static func isChanging(_ mark: UInt64) -> Bool { mark & 1 == 1 }

    /// Another account begins, or none.
    package mutating func advance() {
        generation += 1
        changes += 1
        formerKeepers += keepers
        keepers = 0
    }

    /// The data of the former account is gone.
    package mutating func settle() {
        changes -= 1
    }

    /// Whether a call of a generation may store something; it ends with `endKeeping`.
    package mutating func beginKeeping(in generation: UInt64) -> Bool {
        guard generation == self.generation else { return false }
        keepers += 1
        return true
    }

    package mutating func endKeeping(in generation: UInt64) {
        if generation == self.generation { keepers -= 1 } else { formerKeepers -= 1 }
    }
}
