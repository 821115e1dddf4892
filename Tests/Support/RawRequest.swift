#if canImport(Glibc)
import Glibc
import GodwitCore

/// A request whose head the client would not send.
package enum RawRequest {
    /// Sends the head of a request to 127.0.0.1, and returns the status of the response; `nil` if there is none.
    package static func status(_ head: String, port: Int) async throws -> Int? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        guard Loopback.connect(descriptor, to: port) == 0, write(descriptor, head, head.utf8.count) == head.utf8.count
        else { return nil }
        var buffer = [UInt8](repeating: 0, count: 100)
        let count = read(descriptor, &buffer, buffer.count)
        let words = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
        return words.dropFirst().first.flatMap { Int($0) }
    }
}
#endif
