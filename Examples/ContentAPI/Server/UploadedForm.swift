import Godwit
import GodwitTesting

/// The parts of a `multipart/form-data` body, as far as this API needs them (RFC 7578).
nonisolated struct UploadedForm {
    struct Part {
        let name: String
        let fileName: String?
        let contentType: String
        let content: Data
    }

    let parts: [Part]

    init(_ request: MockRequest) throws(Problem) {
        let type = request.fields[.contentType].flatMap(MediaType.init(_:))
        guard type?.essence == "multipart/form-data", let boundary = type?.boundary else {
            throw Problem.malformed("Send multipart/form-data with a boundary.")
        }
        let delimiter = Data("\r\n--\(boundary)".utf8)
        let pieces = (Data("\r\n".utf8) + request.body).split(separator: delimiter)
        guard pieces.last?.starts(with: Data("--".utf8)) == true else {
            throw Problem.malformed("The form ends before its closing delimiter.")
        }
        parts = pieces.dropLast().compactMap(Self.part)
    }

    /// A part: the end of the delimiter's line, header fields, an empty line, body.
    private static func part(_ piece: Data) -> Part? {
        let blankLine = Data("\r\n\r\n".utf8)
        guard let gap = piece.firstRange(of: blankLine) else { return nil }
        let lines = String(decoding: piece[..<gap.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let disposition = value(of: "content-disposition", in: lines) ?? ""
        guard let name = quoted("name", in: disposition) else { return nil }
        return Part(
            name: name, fileName: quoted("filename", in: disposition),
            contentType: value(of: "content-type", in: lines) ?? "text/plain", content: Data(piece[gap.upperBound...]))
    }

    private static func value(of name: String, in lines: [Substring]) -> String? {
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == name else { continue }
            return String(parts[1].drop { $0 == " " })
        }
        return nil
    }

    private static func quoted(_ name: String, in disposition: String) -> String? {
        guard let start = disposition.firstRange(of: "; \(name)=\"")?.upperBound else { return nil }
        return String(disposition[start...].prefix { $0 != "\"" })
    }
}
