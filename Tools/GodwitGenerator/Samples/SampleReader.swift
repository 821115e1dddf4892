/// Infers an API from samples: its operations, the types of its bodies and its credentials.
///
/// What isn't certain is a note with its reason. Credentials are removed before anything is inferred.
struct SampleReader {
    private var operations: [SampleOperation]
    private let base: SampleBase
    private var types: SampleTypes
    private var notes: [Note]

    /// - Parameters:
    ///   - title: The name of the API; `nil` takes it from the host or the first path.
    ///   - notes: What was left out before, as by ``HARReader``.
    static func read(
        _ samples: [Sample], title: String?, guessesEnums: Bool, notes: [Note] = []
    ) throws(GenerationError) -> APIDescription {
        guard !samples.isEmpty else {
            throw GenerationError(.invalid, "no sample to read: give a file, as `GET /articles => articles.json`")
        }
        var reader = try SampleReader(samples, notes: notes)
        return reader.description(title: title, guessesEnums: guessesEnums)
    }

    private init(_ samples: [Sample], notes: [Note]) throws(GenerationError) {
        var exchanges = try SampleExchange.read(samples)
        base = SampleBase(exchanges)
        for index in exchanges.indices { exchanges[index].segments = base.relative(exchanges[index]) }
        operations = SampleOperation.operations(exchanges, base: base)
        types = try SampleTypes(operations)
        self.notes = notes
        for sample in samples where sample.target == nil {
            let path = SampleExchange.path(fromFile: sample.fileName)
            let text = "the path `\(path)` is the name of the file: give it as `GET /path => \(sample.fileName)`"
            self.notes.append(Note(.guess, text, at: SourcePlace(file: sample.fileName)))
        }
        self.notes += SampleParameters.notes(on: operations)
    }

    private mutating func description(title: String?, guessesEnums: Bool) -> APIDescription {
        var result = APIDescription(title: title ?? guessedTitle)
        var schemas = SampleSchemas(guessesEnums: guessesEnums)
        if let url = base.url { result.servers = [Server(url: url)] }
        result.schemas = types.schemas(&schemas)
        result.operations = operations.enumerated().map { operation($0, $1, &schemas) }
        addSecurity(to: &result)
        noteCookies()
        result.notes = notes + types.notes + schemas.notes
        return result
    }

    /// `Example` for `https://api.example.com`, `Articles` for `/articles`.
    private var guessedTitle: String {
        let host = base.origin?.split(separator: "/").last?.prefix { $0 != ":" } ?? ""
        let labels = host.split(separator: ".").map(String.init).filter { !["api", "www"].contains($0) }
        let isAddress = labels.allSatisfy { $0.allSatisfy(SampleText.isDigit) } || labels == ["localhost"]
        // `example.co.uk` has two labels after the name.
        let general = ["co", "com", "org", "net", "gov", "ac"]
        let names = labels.dropLast(labels.count > 1 ? 1 : 0)
        if !isAddress, let label = names.last(where: { !general.contains($0) }) ?? names.last {
            return SampleWords.pascal(SampleWords.words(label))
        }
        return operations.first?.tag.map { SampleWords.pascal(SampleWords.words($0)) } ?? "API"
    }

    private mutating func operation(
        _ index: Int, _ operation: SampleOperation, _ schemas: inout SampleSchemas
    ) -> Operation {
        var result = Operation(
            id: operation.id, method: operation.method, path: operation.path.text, place: operation.place)
        result.tags = operation.tag.map { [$0] } ?? []
        result.parameters = SampleParameters.parameters(of: operation)
        if let origin = operation.origin { result.servers = [Server(url: origin)] }
        let requests = types.payloads.filter { $0.operation == index && $0.use == .request }
        if !requests.isEmpty {
            result.body = RequestPayload(
                isRequired: operation.exchanges.allSatisfy { $0.isFailure || $0.request != nil },
                contents: requests.map { $0.content(&schemas) })
        }
        result.responses = responses(index, operation, &schemas)
        if result.responses.isEmpty {
            let text = "the answer of `\(operation.method) \(operation.path.text)` is unknown: its sample has none"
            notes.append(Note(.guess, text, at: operation.place))
        }
        return result
    }

    private func responses(
        _ index: Int, _ operation: SampleOperation, _ schemas: inout SampleSchemas
    ) -> [ResponseDescription] {
        var statuses: [Int] = []
        for status in operation.exchanges.compactMap(\.status) where !statuses.contains(status) {
            statuses.append(status)
        }
        return statuses.map { status in
            let payloads = types.payloads.filter { $0.operation == index && $0.use == .answer(status: status) }
            return ResponseDescription(
                status: .code(status), contents: payloads.map { $0.content(&schemas) },
                headers: SampleParameters.answerHeaders(operation.exchanges.filter { $0.status == status }))
        }
    }

    private mutating func addSecurity(to result: inout APIDescription) {
        var security = SampleSecurity()
        let needed = operations.enumerated().map { index, operation in
            types.sessions.contains(index) ? [] : security.requirement(of: operation.exchanges)
        }
        for operation in types.sessions.sorted().map({ operations[$0] }) {
            let text = "`\(operation.id)` needs no credentials: its answer has the tokens"
            notes.append(Note(.guess, text, at: operation.place))
        }
        if security.schemes.isEmpty, let first = types.sessions.first {
            let text = "other operations need the access token of `\(operations[first].id)` as a bearer token"
            notes.append(Note(.guess, text, at: operations[first].place))
            result.security = [SecurityRequirement(schemes: [.init(name: security.name(of: .bearer))])]
        } else {
            result.security = Self.mostCommon(needed)
        }
        result.securitySchemes = security.schemes
        for index in result.operations.indices where needed[index] != result.security {
            if result.security.isEmpty, needed[index]?.isEmpty ?? true { continue }
            result.operations[index].security = needed[index]
        }
    }

    private static func mostCommon(_ needed: [[SecurityRequirement]?]) -> [SecurityRequirement] {
        let some = needed.compactMap { $0 }.filter { !$0.isEmpty }
        var counts: [[SecurityRequirement]: Int] = [:]
        for requirement in some { counts[requirement, default: 0] += 1 }
        return some.reduce(some.first ?? []) { (counts[$1] ?? 0) > (counts[$0] ?? 0) ? $1 : $0 }
    }

    private mutating func noteCookies() {
        let count = operations.flatMap(\.exchanges).count { $0.credentials.hasCookies }
        guard count > 0 else { return }
        notes.append(
            Note(.omission, "cookies of \(count) samples are left out: the client keeps those that a server sets"))
    }
}
