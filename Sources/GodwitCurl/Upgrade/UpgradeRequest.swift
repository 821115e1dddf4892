#if os(Linux)
import GodwitCore
import GodwitSockets

/// The head of a request for an upgrade, which libcurl doesn't send, since it only connects (RFC 9112 section 3).
enum UpgradeRequest {
    static func head(of request: HTTPRequest, to upgrade: ProtocolUpgrade) -> [UInt8] {
        let host = request.url.origin.hostAndPort
        var text = "GET \(request.url.target) HTTP/1.1\r\nHost: \(host)\r\nConnection: Upgrade\r\n"
        text += "Upgrade: \(upgrade.name)\r\n"
        for field in request.fields.withOneCookieField { text += "\(field.name.rawName): \(field.value)\r\n" }
        text += "\r\n"
        return FieldText.bytes(of: text)
    }

    /// Why a request can't ask for an upgrade, or nil.
    static func fault(in request: HTTPRequest) -> NetworkError.Kind? {
        guard let upgrade = request.options.upgrade else { return nil }
        guard request.method == .get, request.body == nil else {
            return .invalidRequest(reason: "an upgrade needs a GET request without a body")
        }
        guard Token.isValid(upgrade.name) else {
            return .invalidRequest(reason: "\"\(upgrade.name)\" is not the name of a protocol")
        }
        return nil
    }
}

extension HTTPRequest {
    /// The request as it is sent, with the fields of this attempt.
    var askingForUpgrade: HTTPRequest {
        guard let upgrade = options.upgrade else { return self }
        var request = self
        // The result is a connection, or a short refusal.
        request.delivery = .buffered
        for field in upgrade.fields() { request.fields.append(field) }
        return request
    }
}

/// Cuts the head of a response into lines, as libcurl hands them over.
struct LineCutter {
    private var partial: [UInt8] = []
    /// The bytes of all lines together.
    private(set) var size = 0

    /// The next line with its end, taken from the front of the bytes; nil if it is incomplete.
    mutating func next(in bytes: inout UnsafeRawBufferPointer) -> [UInt8]? {
        guard let end = bytes.firstIndex(of: 0x0A) else {
            partial.append(contentsOf: bytes)
            size += bytes.count
            bytes = UnsafeRawBufferPointer(rebasing: bytes[bytes.count...])
            return nil
        }
        let line = partial + bytes[...end]
        size += end + 1
        partial = []
        bytes = UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...])
        return line
    }
}
#endif
