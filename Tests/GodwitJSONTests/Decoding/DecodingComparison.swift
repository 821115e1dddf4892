import GodwitJSON
import TestSupport

/// One document decoded by Foundation's decoder and by ours.
struct DecodingComparison: Sendable {
    enum Target: Sendable {
        case schema(Schema)
        case type(HandWritten)
    }

    let document: [UInt8]
    let target: Target
    let strategies: DecodingStrategies

    /// Everything of run number `seed`.
    init(seed: Int) {
        var random = SplitMix(seed: seed)
        strategies = DecodingStrategies(using: &random)
        if random.happens(30) {
            let type = random.pick(HandWritten.all)
            let sample = random.pick(type.samples)
            document = random.happens(20) ? Array(sample.utf8) : Mutation.mutate(Array(sample.utf8), using: &random)
            target = .type(type)
        } else {
            let tree = RandomTree.random(depth: 1 + random.below(5), using: &random)
            let bytes = tree.json(using: &random)
            document = random.happens(45) ? Mutation.mutate(bytes, using: &random) : bytes
            var schemas = RandomSchema(strategies: strategies, random: random)
            target = .schema(schemas.schema(for: tree))
        }
    }

    init(document: [UInt8], target: Target, strategies: DecodingStrategies) {
        self.document = document
        self.target = target
        self.strategies = strategies
    }

    var foundation: DecodingOutcome {
        switch target {
        case .schema(let schema):
            DecodingOutcome {
                let decoder = strategies.foundation(userInfo: [SchemaPlan.key: SchemaPlan(schema)])
                return try decoder.decode(SchemaValue.self, from: Data(document)).transcript
            }
        case .type(let type): DecodingOutcome { try type.foundation(strategies.foundation(), Data(document)) }
        }
    }

    var model: DecodingOutcome {
        switch target {
        case .schema(let schema):
            DecodingOutcome {
                let decoder = strategies.model(userInfo: [SchemaPlan.key: SchemaPlan(schema)])
                return try decoder.decode(SchemaValue.self, from: Data(document)).transcript
            }
        case .type(let type): DecodingOutcome { try type.model(strategies.model(), Data(document)) }
        }
    }

    /// The difference between the decoders, unless there is none or a known one.
    func difference() -> Difference? {
        let difference = Difference(comparison: self, foundation: foundation, model: model)
        return difference.foundation == difference.model || difference.known != nil ? nil : difference
    }

    /// The comparison with as much of the document removed as possible while a difference remains.
    func shrunk() -> Difference? {
        guard var smallest = difference() else { return nil }
        var size = max(1, document.count / 2)
        while size >= 1 {
            var start = 0
            while start < smallest.comparison.document.count {
                var bytes = smallest.comparison.document
                bytes.removeSubrange(start..<min(start + size, bytes.count))
                let candidate = DecodingComparison(document: bytes, target: target, strategies: strategies)
                if let difference = candidate.difference() { smallest = difference } else { start += size }
            }
            size /= 2
        }
        return smallest
    }
}

/// Two outcomes of one document that aren't equal.
struct Difference: Sendable, CustomStringConvertible {
    let comparison: DecodingComparison
    let foundation: DecodingOutcome
    let model: DecodingOutcome

    /// Why this difference is intended.
    var known: KnownDifference? {
        KnownDifference.all.first { $0.explains(self) }
    }

    /// Differences of one kind usually have one cause.
    var kind: String {
        "\(foundation.failure?.kind ?? "value") -> \(model.failure?.kind ?? "value")"
    }

    var description: String {
        """
        document: \(String(decoding: comparison.document, as: UTF8.self).debugDescription)
        bytes: \(comparison.document.count < 60 ? "\(comparison.document)" : "\(comparison.document.count)")
        strategies: \(comparison.strategies)
        target: \(targetDescription)
        Foundation: \(foundation)
        ours:       \(model)
        """
    }

    var targetDescription: String {
        switch comparison.target {
        case .schema(let schema):
            "\(schema)".replacing(#/GodwitJSONTests\.(Schema|KeyedStep|UnkeyedStep)\./#, with: ".")
        case .type(let type): type.name
        }
    }
}
