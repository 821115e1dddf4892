import GodwitWire

/// The body of a request or an answer, read.
struct SampleBody: Sendable {
    enum Value: Sendable {
        case json(DocumentNode)
        /// The fields of a form or the parts of a multipart body.
        case form([Sample.Part])
        /// A stream of JSON values, one a line.
        case lines([DocumentNode])
        case text
        case binary
    }

    /// In lower case, without parameters.
    var mediaType: String
    var value: Value

    /// The document; `nil` for other bodies.
    var json: DocumentNode? {
        if case .json(let node) = value { node } else { nil }
    }

    /// The values of a stream; empty for other bodies.
    var lines: [DocumentNode] {
        if case .lines(let nodes) = value { nodes } else { [] }
    }

    static let form = "application/x-www-form-urlencoded"
    static let multipart = "multipart/form-data"

    /// The answer of a sample; `nil` if it is unknown or empty.
    static func answer(of sample: Sample) throws(GenerationError) -> SampleBody? {
        guard let file = sample.responseBody, !file.data.isEmpty else { return nil }
        let type = Sample.mediaType(sample.responseFields) ?? "application/json"
        return try body(file, type)
    }

    /// The body of a sample's request; `nil` if it has none.
    static func request(of sample: Sample) throws(GenerationError) -> SampleBody? {
        let type = Sample.mediaType(sample.requestFields)
        if !sample.form.isEmpty {
            let hasFile = sample.form.contains { $0.fileName != nil }
            return SampleBody(mediaType: type ?? (hasFile ? multipart : form), value: .form(sample.form))
        }
        guard let file = sample.requestBody, !file.data.isEmpty else { return nil }
        if type == form, let first = file.data.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") {
            // curl's `-d` says that JSON is a form if no field says otherwise.
            return SampleBody(mediaType: "application/json", value: .json(try DocumentNode(sample: file)))
        }
        if type == multipart {
            let boundary = Sample.value("content-type", in: sample.requestFields).flatMap(SampleForm.boundary)
            return SampleBody(mediaType: multipart, value: .form(SampleForm.parts(file.data, boundary: boundary)))
        }
        return try body(file, type ?? "application/json")
    }

    private static func body(_ file: SourceFile, _ type: String) throws(GenerationError) -> SampleBody {
        if ["application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines"].contains(type)
        {
            return SampleBody(mediaType: type, value: .lines(try lines(file)))
        }
        if type.hasSuffix("json") {
            return SampleBody(mediaType: type, value: .json(try DocumentNode(sample: file)))
        }
        if type == form {
            return SampleBody(mediaType: form, value: .form(SampleForm.fields(file.data)))
        }
        return SampleBody(mediaType: type, value: type.hasPrefix("text/") ? .text : .binary)
    }
}

extension SampleBody {
    private static func lines(_ file: SourceFile) throws(GenerationError) -> [DocumentNode] {
        var nodes: [DocumentNode] = []
        for (index, line) in file.data.split(separator: 0x0A).enumerated() where line.contains(where: { $0 > 0x20 }) {
            nodes.append(
                try DocumentNode(sample: SourceFile(name: "\(file.name) line \(index + 1)", data: Data(line))))
        }
        return nodes
    }

    /// The body with its texts changed by the names of their fields.
    func redacted(_ secrets: SampleSecrets) -> SampleBody {
        var body = self
        switch value {
        case .json(let node): body.value = .json(secrets.redacted(node))
        case .lines(let nodes): body.value = .lines(nodes.map { secrets.redacted($0) })
        case .form(let parts):
            body.value = .form(
                parts.map { part in
                    var part = part
                    let isSecret = SecretName.isSecret(part.name)
                    part.value = part.value.map { isSecret ? SampleSecrets.replacement : secrets.redacted($0) }
                    return part
                })
        case .text, .binary: break
        }
        return body
    }

    /// Collects the credentials of the body.
    func collect(into secrets: inout SampleSecrets) {
        switch value {
        case .json(let node): secrets.collect(node)
        case .lines(let nodes): for node in nodes { secrets.collect(node) }
        case .form(let parts):
            for part in parts where SecretName.isSecret(part.name) { part.value.map { secrets.add($0) } }
        case .text, .binary: break
        }
    }
}

/// Reads the bodies of forms.
enum SampleForm {
    static func fields(_ data: Data) -> [Sample.Part] {
        let text = String(decoding: data, as: UTF8.self)
        return SampleTarget.fields(Substring(text)).map { Sample.Part($0.name, value: $0.value) }
    }

    /// The boundary of a `Content-Type`.
    static func boundary(_ contentType: String) -> String? {
        for parameter in contentType.split(separator: ";") {
            let text = parameter.drop { $0 == " " }
            guard text.lowercased().hasPrefix("boundary=") else { continue }
            let value = text.dropFirst("boundary=".count).filter { $0 != "\"" && $0 != " " }
            return value.isEmpty ? nil : value
        }
        return nil
    }

    /// The parts of a multipart body, as text: files keep only their names.
    static func parts(_ data: Data, boundary: String?) -> [Sample.Part] {
        let text = String(decoding: data, as: UTF8.self).replacing("\r\n", with: "\n")
        let first = text.prefix { $0 != "\n" }
        guard let mark = boundary.map({ "--\($0)" }) ?? (first.hasPrefix("--") ? String(first) : nil) else { return [] }
        return text.split(separator: mark).compactMap { section in
            guard let end = section.firstRange(of: "\n\n") else { return nil }
            let value = section[end.upperBound...]
            return part(section[..<end.lowerBound], value.hasSuffix("\n") ? value.dropLast() : value)
        }
    }

    private static func part(_ head: Substring, _ value: Substring) -> Sample.Part? {
        var (name, fileName, type) = (String?.none, String?.none, String?.none)
        for line in head.split(separator: "\n") {
            let field = line.prefix { $0 != ":" }
            let text = line[field.endIndex...].dropFirst()
            switch field.lowercased() {
            case "content-disposition":
                name = parameter("name", of: text)
                fileName = parameter("filename", of: text)
            case "content-type": type = Sample.mediaType(String(text))
            default: break
            }
        }
        return name.map { name in
            Sample.Part(name, value: fileName == nil ? String(value) : nil, fileName: fileName, mediaType: type)
        }
    }

    private static func parameter(_ name: String, of field: Substring) -> String? {
        for part in field.split(separator: ";") {
            let trimmed = part.drop { $0 == " " }
            guard trimmed.hasPrefix("\(name)=") else { continue }
            return trimmed.dropFirst(name.count + 1).filter { $0 != "\"" }
        }
        return nil
    }
}
