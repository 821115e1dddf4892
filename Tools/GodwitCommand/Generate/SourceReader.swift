import Godwit
import GodwitGenerator

/// Reads documents and samples: files, standard input, and URLs by the client of the command.
struct SourceReader {
    /// The maximum bytes of a document.
    static let sizeLimit = 64 << 20

    private let request: RequestArguments
    private let command: Command
    /// The URL whose server gets the header fields and credentials of the command line; `nil` if none does.
    private let trusted: HTTPURL?

    /// - Parameter url: The first URL on the command line; `nil` if there is none.
    init(_ request: RequestArguments, for url: String?, of command: Command) {
        self.request = request
        self.command = command
        trusted = url.flatMap { try? HTTPURL($0) }
    }

    static func isURL(_ name: String) -> Bool {
        let start = name.prefix(8).lowercased()
        return start.hasPrefix("https://") || start.hasPrefix("http://")
    }

    func read(_ name: String) async throws(CommandFailure) -> SourceFile {
        if name == "-" { return SourceFile(name: name, data: try await standardInput()) }
        guard Self.isURL(name) else { return try Self.file(name) }
        return SourceFile(name: name, data: try await fetch(name, accept: Self.documentTypes).data)
    }

    /// The samples of a reference. Endpoints are called.
    func samples(_ reference: SampleReference) async throws(CommandFailure) -> [Sample] {
        if reference.isCalled, let target = reference.target { return [try await call(target)] }
        var (body, answers) = (SourceFile?.none, [SourceFile]())
        if let file = reference.requestFile { body = try await read(file) }
        for file in reference.files { answers.append(try await read(file)) }
        return reference.samples(request: body, answers: answers)
    }

    /// A file of this machine.
    static func file(_ path: String) throws(CommandFailure) -> SourceFile {
        let size = (try? FileManager.default.attributesOfItem(atPath: path))?.byteCount ?? 0
        guard size <= sizeLimit else { throw tooLarge(path) }
        return SourceFile(name: path, data: try SmallFile.read(path))
    }

    private static let documentTypes = "application/json, application/yaml;q=0.9, */*;q=0.5"

    private static func tooLarge(_ name: String) -> CommandFailure {
        .generation(
            GenerationError(.unsupported, "more than \(sizeLimit >> 20) MiB are not read", at: SourcePlace(file: name)))
    }

    private func standardInput() async throws(CommandFailure) -> Data {
        var data = Data()
        do {
            while let chunk = try await command.input.read() {
                data.append(chunk)
                if data.count > Self.sizeLimit { break }
            }
        } catch {
            throw .output((error as? OutputError) ?? .cancelled)
        }
        if data.count > Self.sizeLimit { throw Self.tooLarge("-") }
        return data
    }

    private func call(_ target: String) async throws(CommandFailure) -> Sample {
        let answer = try await fetch(target, accept: "application/json, */*;q=0.5")
        let file = SourceFile(name: target, data: answer.data)
        var sample = Sample("GET", target, status: answer.status, answer: file)
        sample.responseFields = answer.fields
        for case .field(let name, let value) in request.items { sample.requestFields.append(.init(name, value)) }
        let login = try RequestBuilder(arguments: try arguments(for: target), of: command).authorization()
        if let login { sample.requestFields.append(.init("Authorization", login)) }
        return sample
    }
}

extension SourceReader {
    private struct Answer: Sendable {
        let status: Int
        let fields: [Sample.Field]
        let data: Data
    }

    private func fetch(_ url: String, accept: String) async throws(CommandFailure) -> Answer {
        let builder = RequestBuilder(arguments: try arguments(for: url), of: command)
        let base = try await builder.endpoint()
        let endpoint = Endpoint<Answer>(
            method: .get, path: "", query: base.query, fields: base.fields, accept: accept
        ) { (data, head, _) throws(NetworkError) in
            let kept = head.fields.filter { $0.name != .setCookie }
            return Answer(
                status: head.status.code, fields: kept.map { .init("\($0.name)", $0.value) }, data: data)
        }.options { $0.responseLimit.decoded = Int64(Self.sizeLimit) }
        let open = try builder.open()
        return try await CommandFailure.run { () async throws(CommandFailure) in
            try await CommandFailure.network { () async throws(NetworkError) in try await open.client.send(endpoint) }
        } finally: {
            await open.end()
        }
    }

    /// The options of one request. A document chooses what it refers to: another server gets no credentials, and after https
    /// nothing is fetched by plain http.
    private func arguments(for text: String) throws(CommandFailure) -> RequestArguments {
        let url = try CommandFailure.network { () throws(NetworkError) in try HTTPRequest(url: text).url }
        var arguments = request
        arguments.url = text
        if let trusted, url.isSameOrigin(as: trusted) { return arguments }
        if trusted?.scheme == .https, url.scheme == .http {
            throw .generation(
                GenerationError(.unsupported, "a document from https can't refer to \(text)"))
        }
        arguments.items = []
        arguments.login = LoginChoice()
        arguments.tokenFile = nil
        arguments.access.certificate = nil
        arguments.access.key = nil
        return arguments
    }
}
