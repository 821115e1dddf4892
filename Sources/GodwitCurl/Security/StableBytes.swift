import CGodwitCurl
import Glibc
import GodwitCore

/// Bytes that stay where they are, for libcurl to point to. Wiped at the end, as they may be a key.
final class StableBytes {
    private let bytes: UnsafeMutableRawBufferPointer

    init(_ data: Data) {
        bytes = .allocate(byteCount: data.count, alignment: 1)
        bytes.copyBytes(from: data)
    }

    deinit {
        if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
        bytes.deallocate()
    }

    /// Hands content to an option; nil takes back what it had.
    static func set(_ option: CURLoption, to content: StableBytes?, on easy: UnsafeMutableRawPointer) -> Bool {
        godwit_set_blob(easy, option, content?.bytes.baseAddress, content?.bytes.count ?? 0) == CURLE_OK
    }
}
