/// How far a download or an upload has come.
public struct TransferProgress: Sendable, Hashable, Nonisolated {
    /// The bytes that are there, those of earlier runs included.
    public var completed: Int64

    /// The bytes there will be; nil where the server does not say.
    public var total: Int64?

    /// How fast it went in the last seconds; nil until that can be said.
    public var bytesPerSecond: Double?

    /// Makes a progress.
    public init(completed: Int64 = 0, total: Int64? = nil, bytesPerSecond: Double? = nil) {
        self.completed = completed
        self.total = total
        self.bytesPerSecond = bytesPerSecond
    }

    /// The part that is done, from 0 to 1; nil where the total is not known.
    public var fraction: Double? {
        guard let total else { return nil }
        return total > 0 ? min(max(0, Double(completed) / Double(total)), 1) : 1
    }

    /// How long the rest will take at the present rate; nil where that cannot be said.
    public var timeRemaining: Duration? {
        guard let total, let bytesPerSecond, bytesPerSecond > 0 else { return nil }
        // A century says "never" as well as any number, and fits.
        return .bounded(seconds: Double(max(0, total.saturatingSubtracting(completed))) / bytesPerSecond)
    }
}
