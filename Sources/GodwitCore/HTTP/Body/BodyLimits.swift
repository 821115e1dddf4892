import GodwitSupport

/// The limits on one response's body. Every engine checks them here.
package struct BodyLimits: Sendable {
    private let limits: ResponseLimit
    private let isBuffered: Bool
    private let isFile: Bool
    /// The most bytes to keep in memory for a body that is not streamed.
    package let buffer: Int

    package init(for request: HTTPRequest) {
        limits = request.options.responseLimit
        if case .buffered(let limit) = request.delivery {
            isBuffered = true
            buffer = limit
        } else {
            isBuffered = false
            buffer = Delivery.defaultBufferLimit
        }
        isFile = if case .file = request.delivery { true } else { false }
    }

    /// Why a body is refused before it is read, or nil.
    ///
    /// - Parameters:
    ///   - length: The declared number of encoded bytes.
    ///   - isDecoded: Whether a content coding is undone, so that the number of decoded bytes is unknown.
    package func fault(declared length: Int64, isDecoded: Bool) -> NetworkError.Kind? {
        if let fault = fault(encoded: length) { return fault }
        return isDecoded ? nil : fault(whole: length)
    }

    /// Why a body of so many bytes, none of them encoded, is too large, or nil.
    func fault(whole length: some BinaryInteger) -> NetworkError.Kind? {
        let length = Int64(clamping: length)
        return fault(decoded: length, isDecoded: false) ?? (isBuffered ? Self.fault(length, Int64(buffer)) : nil)
    }

    /// Why so many bytes as received are too many, or nil.
    package func fault(encoded count: Int64) -> NetworkError.Kind? {
        Self.fault(count, limits.encoded)
    }

    /// Why so many bytes, with content codings undone, are too many, or nil.
    ///
    /// - Parameter isDecoded: Whether there was a content coding.
    package func fault(decoded count: Int64, isDecoded: Bool) -> NetworkError.Kind? {
        Self.fault(count, limits.decoded ?? (isDecoded && isFile ? Self.codedFile : nil))
    }

    /// The most bytes of a file whose content was compressed, unless `responseLimit.decoded` says otherwise: no reader holds it
    /// back, and a few kilobytes would fill the disk.
    static let codedFile: Int64 = 1 << 30

    /// Why so many more bytes don't fit into memory, or nil.
    package func fault(adding count: Int, toBuffered buffered: Int) -> NetworkError.Kind? {
        count > buffer.saturatingSubtracting(buffered) ? .tooLarge(limit: Int64(buffer)) : nil
    }

    /// Whether encoded bytes are limited.
    package var limitsEncoded: Bool { limits.encoded != nil }

    private static func fault(_ count: Int64, _ limit: Int64?) -> NetworkError.Kind? {
        guard let limit, count > limit else { return nil }
        return .tooLarge(limit: limit)
    }
}
