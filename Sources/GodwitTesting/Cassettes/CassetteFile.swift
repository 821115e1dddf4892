import GodwitCore

/// The content of a cassette's file: JSON with a version.
struct CassetteFile: Codable {
    private static let formatName = "godwit-cassette"
    private static let currentVersion = 1

    private struct Header: Decodable {
        let format: String
        let version: Int
    }

    private var format = Self.formatName
    private var version = Self.currentVersion
    private let recordings: [Recording]

    private init(_ recordings: [Recording]) {
        self.recordings = recordings
    }

    static func encoded(_ recordings: [Recording], limit: Int) throws(NetworkError) -> Data {
        var encoder = JSONModelEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data: Data
        do {
            data = try encoder.encode(CassetteFile(recordings))
        } catch {
            throw NetworkError(.encoding(reason: "the cassette: \(error)"), phase: .middleware, underlying: error)
        }
        guard data.count <= limit else { throw NetworkError(.tooLarge(limit: Int64(limit)), phase: .middleware) }
        return data
    }

    /// Throws `.file` if the file is missing or unreadable.
    static func read(_ url: URL, limit: Int) throws(NetworkError) -> [Recording] {
        let name = url.lastPathComponent
        let data = try contents(of: url, limit)
        guard let header = try? JSONModelDecoder().decode(Header.self, from: data), header.format == formatName else {
            throw error("\(name) is not a cassette")
        }
        guard header.version <= currentVersion else {
            throw error("\(name) has version \(header.version); this Godwit reads \(currentVersion). Record it again")
        }
        do {
            return try JSONModelDecoder().decode(CassetteFile.self, from: data).recordings
        } catch {
            throw Self.error("\(name) is damaged: \(words(for: error))", error)
        }
    }

    static func contents(of url: URL, _ limit: Int) throws(NetworkError) -> Data {
        let name = url.lastPathComponent
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw error("the cassette \(name) does not exist; record it first")
        }
        // The mode is not checked, because checkouts of repositories are readable by others.
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        // The type of the number depends on how much of Foundation is linked.
        let size = (attributes?[.size] as? any BinaryInteger).map { Int(clamping: $0) } ?? attributes?[.size] as? Int
        guard attributes?[.type] as? FileAttributeType == .typeRegular, let size, size <= limit
        else { throw error("\(name) is not a regular file of at most \(limit) bytes") }
        do {
            return try Data(contentsOf: url)
        } catch {
            throw Self.error("cannot read \(name): \(error)", error)
        }
    }

    static func words(for error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        let context =
            switch error {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context
            @unknown default: DecodingError.Context(codingPath: [], debugDescription: "\(error)")
            }
        let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
        return path.isEmpty ? context.debugDescription : "\(path.dropFirst()): \(context.debugDescription)"
    }

    static func error(_ reason: String, _ underlying: (any Error)? = nil) -> NetworkError {
        NetworkError(.file(reason: reason), phase: .building, underlying: underlying)
    }
}
