/// The head of a request to a loopback redirect listener, parsed from the bytes received so far.
package enum RedirectHead: Sendable, Hashable {
    /// More bytes are needed.
    case incomplete
    /// Not a request that can be answered.
    case malformed
    /// A request.
    case request(Request)

    /// The relevant parts of a request.
    package struct Request: Sendable, Hashable {
        /// The method.
        package let method: String
        /// The path as in the request line.
        package let path: String
        /// The query without `?`; empty if missing.
        package let query: String
        /// The `Host` field.
        package let host: String
    }

    /// The maximum size of a head in bytes; a code and its state are far shorter.
    package static let limit = 16 << 10

    /// Parses a head.
    package init(_ bytes: [UInt8]) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
            self = bytes.count >= Self.limit ? .malformed : .incomplete
            return
        }
        let text = String(validating: bytes[..<end.lowerBound], as: UTF8.self)
        guard end.upperBound <= Self.limit, let request = text.flatMap(Request.init) else {
            self = .malformed
            return
        }
        self = .request(request)
    }
}

extension RedirectHead.Request {
    fileprivate init?(_ text: String) {
        // CR LF is one Character.
        var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0", words[1].hasPrefix("/") else {
            return nil
        }
        let hosts = lines.compactMap { line -> Substring? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return String(line[..<colon]).asciiLowercased == "host" ? line[line.index(after: colon)...] : nil
        }
        guard hosts.count == 1 else { return nil }
        let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        method = String(words[0])
        path = String(target[0])
        query = target.count > 1 ? String(target[1]) : ""
        host = String(hosts[0].drop { $0 == " " || $0 == "\t" }).asciiLowercased
    }
}
