import GodwitCore
import Synchronization

/// A body that supports range requests (RFC 9110 section 14).
struct RangedContent {
    private let data: Data
    private let etag: String?

    init(_ data: Data, etag: String?) {
        self.data = data
        self.etag = etag
    }

    func answer(to fields: HTTPFields) -> MockResponse {
        guard let range = fields[.range], isCurrent(fields[.ifRange]), let wanted = Self.bounds(range, of: data.count)
        else { return MockResponse.bytes(data).field(.acceptRanges, "bytes") }
        guard !wanted.isEmpty else {
            return MockResponse.status(.rangeNotSatisfiable).field(.contentRange, "bytes */\(data.count)")
        }
        let part = data.dropFirst(wanted.lowerBound).prefix(wanted.count)
        return MockResponse.bytes(Data(part), status: .partialContent).field(.acceptRanges, "bytes")
            .field(.contentRange, "bytes \(wanted.lowerBound)-\(wanted.upperBound - 1)/\(data.count)")
    }

    private func isCurrent(_ condition: String?) -> Bool {
        condition == nil || condition == etag
    }

    /// Returns the bytes of a range; empty if it is unsatisfiable, `nil` if it is not supported and therefore ignored.
    private static func bounds(_ text: String, of count: Int) -> Range<Int>? {
        guard text.hasPrefix("bytes=") else { return nil }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        if ends[0].isEmpty {
            guard let suffix = Int(ends[1]), suffix >= 0 else { return nil }
            return max(0, count - suffix)..<count
        }
        guard let first = Int(ends[0]) else { return nil }
        guard let last = ends[1].isEmpty ? .max : Int(ends[1]), first <= last else { return nil }
        return first < count ? first..<min(last, count - 1) + 1 : 0..<0
    }
}

/// Responses in order; the last one is repeated.
final class ReplyScript: Sendable {
    let responses: [MockResponse]
    private let count = Atomic(0)

    /// - Parameter responses: At least one response.
    init(_ responses: [MockResponse]) {
        self.responses = responses
    }

    /// Returns the next response, with its values encoded.
    func next(for request: MockRequest) -> MockResponse {
        let index = count.wrappingAdd(1, ordering: .relaxed).oldValue
        return responses[min(index, responses.count - 1)].resolved(by: request.coding)
    }
}
