import GodwitCore

/// The account that a screen's values were loaded for.
struct AccountMark {
    private let session: AccountSession
    private var stamp: AccountStamp

    init(_ session: AccountSession) {
        self.session = session
        stamp = session.stamp
    }

    /// Whether the account is another since this was last asked.
    mutating func hasChanged() -> Bool {
        guard !session.isCurrent(stamp) else { return false }
        stamp = session.stamp
        return true
    }
}
