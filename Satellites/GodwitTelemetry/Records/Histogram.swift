import GodwitCore

/// The distribution of a value, by explicit bounds.
struct Histogram: Sendable {
    /// The bounds of `http.client.request.duration` in seconds, as the conventions recommend.
    static let durations = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

    /// Bounds for sizes in bytes: powers of four from 256 bytes to 64 MiB.
    static let sizes = (4...13).map { Double(1 << (2 * $0)) }

    let bounds: [Double]
    /// One more than ``bounds``: the last has all greater values.
    private(set) var counts: [UInt64]
    private(set) var sum = 0.0
    private(set) var count: UInt64 = 0
    private(set) var minimum = Double.infinity
    private(set) var maximum = -Double.infinity

    init(_ bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    /// A value that equals a bound is below it.
    mutating func record(_ value: Double) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
        sum += value
        count += 1
        minimum = min(minimum, value)
        maximum = max(maximum, value)
    }

    /// The fields of `HistogramDataPoint`, apart from times and attributes.
    func write(to writer: inout some MessageWriter) {
        writer.fixed64(4, "count", count)
        writer.double(5, "sum", sum)
        writer.fixed64(6, "bucketCounts", counts)
        writer.double(7, "explicitBounds", bounds)
        writer.double(11, "min", minimum)
        writer.double(12, "max", maximum)
    }
}
