import GodwitWire

/// Finds the parameters of an operation in its samples.
enum SampleParameters {
    /// Those of the path, the query and the header, in this order.
    static func parameters(of operation: SampleOperation) -> [Parameter] {
        path(operation) + query(operation) + header(operation)
    }

    private static func path(_ operation: SampleOperation) -> [Parameter] {
        operation.path.segments.enumerated().compactMap { index, segment in
            guard case .value(let name) = segment else { return nil }
            let schema = schema(of: values(at: index, of: operation))
            return Parameter(
                name: name, location: .path, isRequired: true, schema: schema, style: .simple, explodes: false)
        }
    }

    private static func values(at index: Int, of operation: SampleOperation) -> [String] {
        operation.exchanges.compactMap { exchange in
            index < exchange.segments.count ? SampleTarget.decoded(Substring(exchange.segments[index])) : nil
        }.filter { SamplePath.templateName($0) == nil }
    }

    /// Why segments of paths are parameters: once for each collection.
    static func notes(on operations: [SampleOperation]) -> [Note] {
        var (notes, seen) = ([Note](), Set<[String]>())
        for operation in operations {
            var names: [String] = []
            for (index, segment) in operation.path.segments.enumerated() {
                guard case .value(let parameter) = segment else {
                    if case .name(let name) = segment { names.append(name) }
                    continue
                }
                let values = values(at: index, of: operation)
                guard !values.isEmpty, seen.insert(names).inserted else { continue }
                let text = "`\(parameter)` is a parameter of `\(operation.path.text)`: \(reason(values))"
                notes.append(Note(.guess, text, at: operation.place))
            }
        }
        return notes
    }

    private static func reason(_ values: [String]) -> String {
        switch schema(of: values).kind {
        case .integer: "the segment is a number"
        case .string(format: "uuid"): "the segment is a UUID"
        case .string(format: "date"): "the segment is a date"
        default:
            values.allSatisfy(SampleText.isValue)
                ? "the segment looks like a key" : "the segment differs between samples, or is in the answer"
        }
    }

    private static func query(_ operation: SampleOperation) -> [Parameter] {
        var (names, values, repeated) = ([String](), [String: [String]](), Set<String>())
        for exchange in operation.exchanges {
            var seen: Set<String> = []
            for field in exchange.target.query where !field.name.isEmpty {
                if values[field.name] == nil { names.append(field.name) }
                if !seen.insert(field.name).inserted || field.name.hasSuffix("[]") { repeated.insert(field.name) }
                values[field.name, default: []].append(field.value)
            }
        }
        return names.map { name in
            let one = schema(of: values[name] ?? [])
            let schema = repeated.contains(name) ? Schema(.array(one)) : one
            return Parameter(name: name, location: .query, schema: schema, style: .form, explodes: true)
        }
    }

    /// Fields that a program sets itself: those that every client sends, and those of a browser, aren't among them.
    private static func header(_ operation: SampleOperation) -> [Parameter] {
        let general = ["idempotency-key", "if-match", "if-none-match", "prefer"]
        var (names, seen) = ([String](), Set<String>())
        for field in operation.exchanges.flatMap(\.requestFields) {
            let name = field.name.lowercased()
            let isCustom =
                name.hasPrefix("x-") && !["x-requested-with", "x-client-data"].contains(name)
                && !name.hasPrefix("x-forwarded")
            guard general.contains(name) || isCustom && !SecretName.isSecret(name), seen.insert(name).inserted
            else { continue }
            names.append(field.name)
        }
        return names.map { name in
            Parameter(
                name: name, location: .header, schema: Schema(.string(format: nil)), style: .simple, explodes: false)
        }
    }

    /// The type that all texts of a parameter or of a form's field have.
    static func schema(of values: [String]) -> Schema {
        guard !values.isEmpty else { return Schema(.string(format: nil)) }
        // A number with a leading zero is a text, such as a postal code.
        let isNumber = values.allSatisfy { $0 == "0" || $0.first != "0" || $0.hasPrefix("0.") }
        if isNumber, values.allSatisfy({ Int32($0) != nil && $0.first != "+" }) { return Schema(.integer(format: nil)) }
        if isNumber, values.allSatisfy({ Int64($0) != nil && $0.first != "+" }) {
            return Schema(.integer(format: "int64"))
        }
        if values.allSatisfy({ $0 == "true" || $0 == "false" }) { return Schema(.boolean) }
        let isDecimal = values.allSatisfy { text in
            Double(text) != nil && text.allSatisfy { SampleText.isDigit($0) || $0 == "." || $0 == "-" }
        }
        if isNumber, isDecimal { return Schema(.number(format: nil)) }
        return Schema(.string(format: SampleText.format(of: values)))
    }

    /// Fields of answers that a caller reads: pages, versions, places and limits.
    static func answerHeaders(_ exchanges: [SampleExchange]) -> [Parameter] {
        let known = ["link", "location", "etag", "retry-after"]
        let words: Set<String> = ["total", "page", "pages", "cursor", "ratelimit", "rate", "count"]
        var (names, values) = ([String](), [String: [String]]())
        for field in exchanges.flatMap(\.responseFields) {
            let name = field.name.lowercased()
            let isCounted = name.hasPrefix("x-") && SampleWords.words(name).contains { words.contains($0) }
            guard known.contains(name) || isCounted || name.hasPrefix("ratelimit") else { continue }
            if values[name] == nil { names.append(field.name) }
            values[name, default: []].append(field.value)
        }
        return names.map { name in
            let schema = schema(of: values[name.lowercased()] ?? [])
            return Parameter(name: name, location: .header, schema: schema, style: .simple, explodes: false)
        }
    }
}
