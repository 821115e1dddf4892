import GodwitWire

/// A sample that is read: its documents without credentials, and its target taken apart.
struct SampleExchange: Sendable {
    var method: String
    var target: SampleTarget
    /// The segments of the path below the base URL.
    var segments: [String]
    var request: SampleBody?
    var answer: SampleBody?
    /// `nil` if nothing is known about the answer.
    var status: Int?
    var requestFields: [Sample.Field]
    var responseFields: [Sample.Field]
    var file: String
    var credentials: SampleCredentials

    var isFailure: Bool { status.map { $0 >= 400 } ?? false }
    var place: SourcePlace { SourcePlace(file: file) }

    /// Reads samples in their order.
    static func read(_ samples: [Sample]) throws(GenerationError) -> [SampleExchange] {
        var exchanges: [SampleExchange] = []
        var secrets = SampleSecrets()
        for sample in samples {
            let exchange = try SampleExchange(sample)
            exchange.collect(into: &secrets)
            exchanges.append(exchange)
        }
        for index in exchanges.indices { exchanges[index].redact(secrets) }
        return exchanges
    }

    private init(_ sample: Sample) throws(GenerationError) {
        method = sample.method?.uppercased() ?? "GET"
        target = SampleTarget(sample.target ?? Self.path(fromFile: sample.fileName))
        file = sample.fileName
        guard target.segments.count <= 64 else {
            throw GenerationError(.invalid, "the path has more than 64 segments", at: SourcePlace(file: file))
        }
        segments = target.segments
        request = try SampleBody.request(of: sample)
        answer = try SampleBody.answer(of: sample)
        let isKnown = sample.responseBody != nil || !sample.responseFields.isEmpty
        status = sample.status ?? (isKnown ? 200 : nil)
        requestFields = sample.requestFields
        responseFields = sample.responseFields
        credentials = SampleCredentials(fields: requestFields, target: target)
    }

    /// `/sightings` for `samples/sightings.json`.
    static func path(fromFile name: String) -> String {
        let base = name.split(separator: "/").last.map(String.init) ?? name
        let stem = base.hasSuffix(".json") ? String(base.dropLast(5)) : base
        let plain = stem.map { $0.isLetter || $0.isNumber || "-_.~".contains($0) ? $0 : "-" }
        return "/" + (plain == ["-"] ? "value" : String(plain))
    }

    private func collect(into secrets: inout SampleSecrets) {
        for value in credentials.values { secrets.add(value) }
        request?.collect(into: &secrets)
        answer?.collect(into: &secrets)
    }

    private mutating func redact(_ secrets: SampleSecrets) {
        request = request?.redacted(secrets)
        answer = answer?.redacted(secrets)
        target.user = nil
        target.query = target.query.compactMap { field in
            if SecretName.isSecret(field.name) || secrets.redacted(field.value) == SampleSecrets.replacement {
                return nil
            }
            return field
        }
        // A credential in the path is a parameter like any other value.
        segments = segments.map { segment in
            let text = SampleTarget.decoded(Substring(segment))
            return secrets.redacted(text) == text ? segment : "{token}"
        }
        target.segments = segments
        credentials.values = []
        requestFields = requestFields.map { Sample.Field($0.name, "") }
        responseFields = responseFields.map { Sample.Field($0.name, secrets.redacted($0.value)) }
    }
}
