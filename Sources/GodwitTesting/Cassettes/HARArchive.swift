import GodwitCore

/// Reads the exchanges of an HTTP archive (HAR 1.2), as browsers, proxies and Godwit write it.
///
/// Only a method and a URL are required of an entry. Entries without a response and calls that aren't HTTP are skipped; an
/// entry that can't be read is left out.
/// An archive whose writer was killed may lack its end: its complete entries count.
enum HARArchive {
    private struct Entry: Decodable {
        let startedDateTime: String?
        let request: Request?
        let response: Response?
    }

    private struct Request: Decodable {
        let method, url: String
        let headers: [Pair]?
        let postData: PostData?
    }

    private struct PostData: Decodable {
        let text: String?
        /// Not in the specification; some proxies write it.
        let encoding: String?
        let params: [Pair]?
    }

    private struct Response: Decodable {
        let status: Int
        let headers: [Pair]?
        let content: Content?
    }

    private struct Content: Decodable {
        let mimeType, text, encoding: String?
    }

    private struct Pair: Decodable {
        let name: String
        let value: String?
    }

    /// What was read, with what orders it.
    private struct Found {
        let recording: Recording
        let started: Date?
        let index: Int
    }

    /// The exchanges by their start, and why entries were left out, such as `entry 3: a body isn't valid Base64`.
    ///
    /// Throws if every entry would be left out.
    ///
    /// - Parameter limit: The maximum size of the file in bytes.
    static func read(
        _ file: URL, limit: Int, _ scrubbing: CassetteScrubbing
    ) throws(NetworkError) -> (recordings: [Recording], leftOut: [String]) {
        let name = file.lastPathComponent
        let elements = try elements(of: try CassetteFile.contents(of: file, limit), name, limit)
        var found: [Found] = []
        var leftOut: [String] = []
        for (index, element) in elements.enumerated() {
            do {
                let entry = try JSONModelDecoder().decode(Entry.self, from: element)
                guard let recording = try recording(entry, scrubbing) else { continue }
                let started = entry.startedDateTime.flatMap(ISO8601.date)
                found.append(Found(recording: recording, started: started, index: index))
            } catch {
                leftOut.append("entry \(index + 1): \(CassetteFile.words(for: error))")
            }
        }
        if let first = leftOut.first, leftOut.count == elements.count {
            throw CassetteFile.error("\(name) is damaged: \(first)")
        }
        if found.allSatisfy({ $0.started != nil }) {
            found.sort { ($0.started ?? .distantPast, $0.index) < ($1.started ?? .distantPast, $1.index) }
        }
        return (found.map(\.recording), leftOut)
    }

    /// The JSON of each entry.
    private static func elements(of data: Data, _ name: String, _ limit: Int) throws(NetworkError) -> [Data] {
        var entries: [Data] = []
        do {
            var splitter = try JSONElementSplitter(at: "log.entries", elementLimit: limit)
            splitter.append(data)
            while let entry = try splitter.next() { entries.append(entry) }
            do {
                try splitter.finish()
            } catch .syntax where !entries.isEmpty {
                // The end is missing.
            }
        } catch {
            throw CassetteFile.error("\(name) is not an HTTP archive: \(error)", error)
        }
        return entries
    }

    private struct InvalidBase64: Error, CustomStringConvertible {
        var description: String { "a body isn't valid Base64" }
    }

    private static func recording(_ entry: Entry, _ scrubbing: CassetteScrubbing) throws -> Recording? {
        guard let request = entry.request, let response = entry.response, HTTPStatus(response.status) != nil,
            let method = HTTPMethod(request.method), let url = try url(request.url)
        else { return nil }
        let sent = scrubbing.request(method, url, fields(request.headers), try body(of: request))
        return Recording(request: sent, response: try self.response(response))
    }

    /// With spaces and other stray bytes encoded, as proxies write them; `nil` if it isn't HTTP.
    private static func url(_ text: String) throws(InvalidURL) -> HTTPURL? {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        return try HTTPURL("http://localhost").resolving(text)
    }

    private static func decoded(_ text: String) throws(InvalidBase64) -> Data {
        guard let data = Data(wrappedBase64: text) else { throw InvalidBase64() }
        return data
    }

    private static func body(of request: Request) throws(InvalidBase64) -> Data {
        guard let post = request.postData else { return Data() }
        if let text = post.text, !text.isEmpty {
            return post.encoding?.lowercased() == "base64" ? try decoded(text) : Data(text.utf8)
        }
        let items = QueryItems((post.params ?? []).map { QueryItem(name: $0.name, value: $0.value) })
        return Data(FormURLEncoded.encode(items).utf8)
    }

    /// The body of an archive is decoded, and its length is that of this body: both fields would describe another one.
    private static func response(_ response: Response) throws(InvalidBase64) -> RecordedResponse {
        var fields = fields(response.headers)
        for name in droppedNames { fields.remove(name) }
        let content = response.content
        if let type = content?.mimeType, !type.isEmpty, !fields.contains(.contentType) {
            fields.append(type, for: .contentType)
        }
        var body: RecordedBody?
        if let text = content?.text, !text.isEmpty {
            body = content?.encoding?.lowercased() == "base64" ? .base64(try decoded(text)) : .text(text)
        }
        return RecordedResponse(status: response.status, fields: RecordedFields(fields), body: body)
    }

    /// Fields of one connection, of the coding on the wire, and of servers that are not there.
    private static let droppedNames: [HTTPField.Name] = [
        "Connection", "Keep-Alive", "Proxy-Connection", "Transfer-Encoding", "TE", "Trailer", "Upgrade",
        "Content-Encoding", "Content-Length", "Alt-Svc",
    ]

    /// Pseudo-fields such as `:status` have no valid name. Chromium joins fields of one name by line breaks.
    private static func fields(_ headers: [Pair]?) -> HTTPFields {
        var fields = HTTPFields()
        for header in headers ?? [] {
            guard let name = HTTPField.Name(header.name) else { continue }
            for value in (header.value ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
                if let field = HTTPField(name: name, value: String(value)) { fields.append(field) }
            }
        }
        return fields
    }
}
