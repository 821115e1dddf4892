import Godwit
import GodwitTesting

/// One reply of a file of routes.
struct RoutesFileReply {
    private static let members = [
        "status", "fields", "json", "text", "file", "delay", "bytesPerSecond", "fault", "times", "comment",
    ]

    private let node: RoutesFileNode
    private let folder: URL

    init(_ node: RoutesFileNode, in folder: URL) {
        self.node = node
        self.folder = folder
    }

    /// The response, and how often it is given before the next one.
    func response() throws(RoutesFileError) -> (MockResponse, times: Int) {
        try node.check(Self.members)
        var response = try content()
        if let fields = try node["fields"] { try add(fields, to: &response) }
        if let delay = try node["delay"] { response = response.delayed(by: .seconds(try delay.seconds())) }
        if let rate = try node["bytesPerSecond"] {
            response = response.throttled(bytesPerSecond: try rate.integer(in: 1...Int(Int32.max)))
        }
        return (response, try node["times"]?.integer(in: 1...10_000) ?? 1)
    }

    private func content() throws(RoutesFileError) -> MockResponse {
        let status = try status()
        let fault = try node["fault"].map(RoutesFileFault.init)
        if let response = try fault?.response { return response }
        var response = try body()
        if let status { response.status = status }
        guard let fault else { return response }
        return try fault.cutting(response)
    }

    private func status() throws(RoutesFileError) -> HTTPStatus? {
        guard let code = try node["status"] else { return nil }
        return HTTPStatus(try code.integer(in: 200...999))
    }

    private func body() throws(RoutesFileError) -> MockResponse {
        let given = ["json", "text", "file"].filter { node.has($0) }
        guard given.count <= 1 else { throw node.error("has both \"\(given[0])\" and \"\(given[1])\"") }
        if let json = try node["json"] { return .bytes(json.source, contentType: "application/json") }
        if let text = try node["text"] { return .text(try text.text()) }
        guard let name = try node["file"] else { return .status(.ok) }
        let file = URL(filePath: try name.text(), relativeTo: folder).absoluteURL
        guard FileManager.default.isReadableFile(atPath: file.path) else { throw name.error("can't be read") }
        return .file(at: file, contentType: Self.types[file.pathExtension.lowercased()] ?? "application/octet-stream")
    }

    private static let types = [
        "json": "application/json", "txt": "text/plain; charset=utf-8", "html": "text/html; charset=utf-8",
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "xml": "application/xml",
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "svg": "image/svg+xml", "gif": "image/gif",
    ]

    private func add(_ fields: RoutesFileNode, to response: inout MockResponse) throws(RoutesFileError) {
        for member in try fields.members() {
            guard let name = HTTPField.Name(member.name) else { throw member.error("is not a name of a field") }
            response.fields.remove(name)
            for value in member.isArray ? try member.elements() : [member] {
                guard let field = HTTPField(name: name, value: try value.text()) else {
                    throw value.error("contains a line break")
                }
                response.fields.append(field)
            }
        }
    }
}

/// What goes wrong with a reply.
private struct RoutesFileFault {
    private let node: RoutesFileNode

    init(_ node: RoutesFileNode) {
        self.node = node
    }

    /// What stands in the place of a response; `nil` for a response that is cut.
    var response: MockResponse? {
        get throws(RoutesFileError) {
            guard !node.isObject else { return nil }
            switch try node.text() {
            case "close": return .close
            case "reset": return .reset
            case "hang": return .hang
            case "malformed": return .raw("HTTP/1.1 two hundred\r\n\r\n")
            default:
                throw node.error(#"must be "close", "reset", "hang", "malformed", {"drop": N} or {"reset": N}"#)
            }
        }
    }

    /// The response up to an offset in its body.
    func cutting(_ response: MockResponse) throws(RoutesFileError) -> MockResponse {
        try node.check(["drop", "reset"])
        let range = 0...Int(Int32.max)
        if let offset = try node["drop"] { return response.dropped(after: .bytes(try offset.integer(in: range))) }
        guard let offset = try node["reset"] else { throw node.error("needs \"drop\" or \"reset\"") }
        return response.reset(after: .bytes(try offset.integer(in: range)))
    }
}
