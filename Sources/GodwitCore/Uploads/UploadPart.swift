import GodwitSupport

/// A part of a file that is one upload at the server. Usually there is one, which has the whole file.
struct UploadPart: Sendable, Hashable {
    /// Its bytes in the file.
    let range: Range<Int64>
    /// Its URL at the server; `nil` until it is created.
    var location: HTTPURL?
    /// The number of bytes that the server has confirmed.
    var offset: Int64 = 0
    /// Whether the server may have more or less than ``offset``, so that it must be asked.
    var isUncertain = false
    /// Whether the server has all of it.
    var isComplete = false
    /// The tag that the server gave a presigned part.
    var etag: String?

    var size: Int64 { range.upperBound - range.lowerBound }

    init(_ range: Range<Int64>) {
        self.range = range
    }

    /// Forgets what the server had.
    mutating func startOver() {
        self = UploadPart(range)
    }

    /// Splits a file into parts of a size; larger ones if there would be more than 10,000, which S3 doesn't accept.
    static func split(_ size: Int64, by length: Int64) -> [UploadPart] {
        let length = max(length, size / 10_000 + 1, 1)
        guard size > 0 else { return [UploadPart(0..<0)] }
        return stride(from: 0, to: size, by: Int64.Stride(length)).map { start in
            UploadPart(start..<min(size, start.saturatingAdding(length)))
        }
    }

    /// Splits a file into at most so many parts of at least 1 MiB.
    static func split(_ size: Int64, into count: Int) -> [UploadPart] {
        let wanted = min(Int64(min(max(1, count), 16)), max(1, size >> 20))
        let length = size / wanted
        return (0..<wanted).map { index in
            UploadPart(index * length..<(index == wanted - 1 ? size : (index + 1) * length))
        }
    }
}
