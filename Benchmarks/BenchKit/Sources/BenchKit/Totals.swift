/// The totals of a run.
public struct Totals: Sendable {
    /// Finished requests, including failed ones.
    public var requests = 0
    /// Failed requests.
    public var errors = 0
    /// Body bytes.
    public var bytes = 0

    /// Makes empty totals.
    public init() {}

    /// Adds the outcome of a request.
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
