import GodwitCore

/// A key in PEM (RFC 7468).
struct PEMBlock: Sendable, Hashable {
    let label: String
    let der: [UInt8]

    var text: String {
        let base64 = Data(der).base64EncodedString()
        let lines = stride(from: 0, to: base64.utf8.count, by: 64).map { start in
            String(Substring(base64.utf8.dropFirst(start).prefix(64)))
        }
        return "-----BEGIN \(label)-----\n\(lines.joined(separator: "\n"))\n-----END \(label)-----\n"
    }
}
