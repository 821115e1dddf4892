import Godwit

/// Builds the body of a request from the command line.
struct BodyBuilder {
    let arguments: RequestArguments
    let input: any InputSource

    /// Returns the body; `nil` if the request has no body.
    func build() async throws(CommandFailure) -> RequestBody? {
        if let json = arguments.json { return try await body(json, type: .json) }
        if !arguments.data.isEmpty, !arguments.sendsDataInQuery { return try await data() }
        if let file = try await bodyFile() { return file }
        switch arguments.style {
        case .multipart: return .multipart(try await multipart())
        case .form: return .form(try await form())
        case .json, nil: return try await object()
        }
    }

    private func body(_ source: TextSource, type: MediaType) async throws(CommandFailure) -> RequestBody {
        if let stream = try stream(of: source) { return try await InputBody(reading: stream).body(of: type) }
        switch source {
        case .text(let text):
            if type.isJSON { _ = try parsed(Data(text.utf8), of: "--json") }
            return .data(Data(text.utf8), type: type)
        case .file(let path): return .file(at: URL(filePath: path), type: type)
        case .standardInput, .encoded, .encodedFile, .withoutLineBreaks:
            return .data(try await bytes(of: source), type: type)
        }
    }

    /// What a source of unknown length is read from; `nil` for other sources.
    private func stream(of source: TextSource) throws(CommandFailure) -> (any InputSource)? {
        switch source {
        case .standardInput: return input
        case .file(let path): return try StreamedInput.source(at: path)
        case .withoutLineBreaks(let source):
            guard let base = try stream(of: source) else { return nil }
            return UnbrokenInput(base: base)
        case .text, .encoded, .encodedFile: return nil
        }
    }

    /// A single piece may be a stream of any length; several are joined in memory.
    private func data() async throws(CommandFailure) -> RequestBody {
        if arguments.data.count == 1 { return try await body(arguments.data[0], type: .form) }
        return .data(try await joinedData(), type: .form)
    }

    /// The values of `-d`, joined with `&`.
    func joinedData() async throws(CommandFailure) -> Data {
        var joined = Data()
        for (index, source) in arguments.data.enumerated() {
            if index > 0 { joined.append(UInt8(ascii: "&")) }
            joined.append(try await bytes(of: source))
        }
        return joined
    }

    private func bytes(of source: TextSource) async throws(CommandFailure) -> Data {
        switch source {
        case .text(let text): return Data(text.utf8)
        case .file(let path): return try await SmallFile.contents(of: path)
        case .encoded(let name, let value):
            let text = value.percentEncodedForForm
            return Data((name.isEmpty ? text : "\(name)=\(text)").utf8)
        case .encodedFile(let name, let path):
            let text = try await SmallFile.textContents(of: path).percentEncodedForForm
            return Data((name.isEmpty ? text : "\(name)=\(text)").utf8)
        case .withoutLineBreaks(let source): return try await bytes(of: source).withoutLineBreaks
        case .standardInput: throw .usage(UsageError("standard input must be the whole body; pass only one --data"))
        }
    }

    private func text(of source: TextSource) async throws(CommandFailure) -> String {
        if case .file(let path) = source { return try await SmallFile.textContents(of: path) }
        return String(decoding: try await bytes(of: source), as: UTF8.self)
    }

    private func bodyFile() async throws(CommandFailure) -> RequestBody? {
        let paths = arguments.items.compactMap { if case .body(let path) = $0 { path } else { nil } }
        guard let path = paths.first else { return nil }
        if arguments.items.count(where: \.isBody) > 1 {
            throw .usage(UsageError("@\(path) must be the whole body; remove the other body items"))
        }
        if path == "-" { return try await body(.standardInput, type: .octetStream) }
        let file = URL(filePath: path)
        return try await body(.file(path), type: MediaType(forFileExtension: file.pathExtension) ?? .octetStream)
    }

    private func object() async throws(CommandFailure) -> RequestBody? {
        try await members().map { .data(Data($0.text(.compact).utf8), type: .json) }
    }

    /// The JSON that the items describe; `nil` if none does.
    func members() async throws(CommandFailure) -> OrderedJSON? {
        var tree: GrowingJSON?
        for item in arguments.items {
            switch item {
            case .member(let name, let value):
                try Self.insert(.string(try await text(of: value)), at: name, into: &tree)
            case .rawMember(let name, let value):
                let json = try parsed(
                    try await bytes(of: value), of: name, hint: " (quote strings: \(name):='\"text\"')")
                try Self.insert(json, at: name, into: &tree)
            case .part(let name, let part):
                throw .usage(
                    UsageError("\(name)@\(part.path) is a part of a multipart form; add --multipart"))
            case .query, .queryFile, .field, .fieldFile, .removal, .body, .typedMember: continue
            }
        }
        return tree?.json
    }

    private static func insert(
        _ value: OrderedJSON, at name: String, into tree: inout GrowingJSON?
    ) throws(CommandFailure) {
        do throws(UsageError) {
            let path = try GrowingJSON.path(name)
            var grown = tree ?? (path.first.map(GrowingJSON.init(for:)) ?? .object([]))
            try grown.insert(value, at: path[...], name: name)
            tree = grown
        } catch {
            throw .usage(error)
        }
    }

    static func mediaType(_ text: String) throws(CommandFailure) -> MediaType {
        guard let type = MediaType(text) else { throw .usage(UsageError("\"\(text)\" is not a media type")) }
        return type
    }

    private func form() async throws(CommandFailure) -> QueryItems {
        var form = QueryItems()
        for item in arguments.items {
            switch item {
            case .member(let name, let value): form.append(name, try await text(of: value))
            case .rawMember(let name, _):
                throw .usage(UsageError("\(name):= is JSON, which a form can't contain; write \(name)=…"))
            case .part(let name, let part):
                throw .usage(UsageError("\(name)@\(part.path) is a file; use --multipart instead of --form"))
            case .query, .queryFile, .field, .fieldFile, .removal, .body, .typedMember: continue
            }
        }
        return form
    }

    private func multipart() async throws(CommandFailure) -> MultipartForm {
        if arguments.items.count(where: \.isInputPart) > 1 {
            throw .usage(UsageError("standard input can be only one part of a form"))
        }
        var form = MultipartForm()
        for item in arguments.items {
            switch item {
            case .member(let name, let value): form.field(name, try await text(of: value))
            case .rawMember(let name, let value): form.data(name, try await bytes(of: value), type: .json)
            case .part(let name, let part): try await add(part, name, to: &form)
            case .typedMember(let name, let value, let type):
                form.data(name, try await bytes(of: value), type: try Self.mediaType(type))
            case .query, .queryFile, .field, .fieldFile, .removal, .body: continue
            }
        }
        return form
    }

    private func add(_ part: FilePart, _ name: String, to form: inout MultipartForm) async throws(CommandFailure) {
        let file = URL(filePath: part.path)
        let type = try part.type.map { text throws(CommandFailure) in try Self.mediaType(text) }
        guard let stream = part.path == "-" ? input : try StreamedInput.source(at: part.path) else {
            return form.file(name, at: file, fileName: part.fileName, type: type)
        }
        form.stream(
            name, try await InputBody(reading: stream).body, fileName: part.fileName ?? file.lastPathComponent,
            type: type ?? MediaType(forFileExtension: file.pathExtension))
    }

    private func parsed(_ bytes: Data, of name: String, hint: String = "") throws(CommandFailure) -> OrderedJSON {
        do throws(JSONSyntaxError) {
            return try OrderedJSON(parsing: bytes)
        } catch {
            throw .usage(UsageError("\(name) is not valid JSON: \(error)\(hint)"))
        }
    }
}
