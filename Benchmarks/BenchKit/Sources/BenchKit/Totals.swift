/// What a run adds up.
public struct Totals: Sendable {
    /// Requests that ended, well or not.
    public var requests = 0
    /// Requests that did not end well.
    public var errors = 0
    /// Body bytes.
    public var bytes = 0

    /// Makes an empty sum.
    public init() {}

    /// Adds one request by its outcome.
    public mutating func add(_ outcome: Result<Int, any Error>) {
        requests += 1
        switch outcome {
        case .success(let count): bytes += count
        case .failure: errors += 1
        }
    }

    static func += (left: inout Totals, right: Totals) {
        left.requests += right.requests
        left.errors += right.errors
        left.bytes += right.bytes
    }
}
