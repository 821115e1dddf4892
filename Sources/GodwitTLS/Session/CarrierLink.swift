#if os(Linux)
import COpenSSL
import GodwitLibc

/// Lets OpenSSL read from and write to a carrier (a BIO), and notes how the carrier failed.
final class CarrierLink {
    private let carrier: any TLSCarrier
    /// The `errno` of the carrier in the current call; 0 if it didn't fail.
    private(set) var failure: Int32 = 0
    /// Whether the carrier's end of stream was read.
    private(set) var hasEnded = false

    init(_ carrier: any TLSCarrier) {
        self.carrier = carrier
    }

    /// The session that this one runs within.
    var outer: TLSSession? { carrier as? TLSSession }

    /// A new call of OpenSSL begins.
    func begin() { failure = 0 }

    /// A BIO that uses this link, which has to live longer; `nil` if memory ran out.
    func makeBIO() -> OpaquePointer? {
        guard let method = Self.method, let bio = BIO_new(method) else { return nil }
        BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        BIO_set_init(bio, 1)
        return bio
    }

    // MARK: Calls of OpenSSL

    /// Made once, as OpenSSL has few numbers for kinds of BIO. It never changes.
    nonisolated(unsafe) private static let method: OpaquePointer? = {
        guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "Godwit carrier") else {
            return nil
        }
        BIO_meth_set_read(method) { bio, bytes, count in
            CarrierLink.of(bio)?.read(UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)), bio) ?? -1
        }
        BIO_meth_set_write(method) { bio, bytes, count in
            CarrierLink.of(bio)?.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)), bio) ?? -1
        }
        BIO_meth_set_ctrl(method) { bio, command, _, _ in
            switch command {
            case BIO_CTRL_FLUSH: 1
            case BIO_CTRL_EOF: CarrierLink.of(bio)?.hasEnded == true ? 1 : 0
            default: 0
            }
        }
        return method
    }()

    private static func of(_ bio: OpaquePointer?) -> CarrierLink? {
        BIO_get_data(bio).map { Unmanaged<CarrierLink>.fromOpaque($0).takeUnretainedValue() }
    }

    private func read(_ buffer: UnsafeMutableRawBufferPointer, _ bio: OpaquePointer?) -> Int32 {
        let count = carrier.receive(into: buffer)
        if count == 0 { hasEnded = true }
        return finish(count, bio, retrying: BIO_FLAGS_READ)
    }

    private func write(_ bytes: UnsafeRawBufferPointer, _ bio: OpaquePointer?) -> Int32 {
        finish(carrier.send(bytes), bio, retrying: BIO_FLAGS_WRITE)
    }

    private func finish(_ count: Int, _ bio: OpaquePointer?, retrying flag: Int32) -> Int32 {
        BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
        if count >= 0 { return Int32(clamping: count) }
        if count == -Int(EAGAIN) {
            BIO_set_flags(bio, flag | BIO_FLAGS_SHOULD_RETRY)
        } else {
            failure = Int32(clamping: -count)
        }
        return -1
    }
}
#endif
