import Corpus
import Foundation
import Godwit
import GodwitTesting
import Testing

/// Style, explode and type of parameters, read by a server that knows only the table of the specification.
@Suite("G2 Parameters are read by a server as they were given")
struct StyleTableTests {
    /// A row of the table, named as the parameter is: `labelObjectEach`.
    private struct Row {
        let style: String
        let explodes: Bool
        let type: String
        let name: String

        init(_ name: String) {
            self.name = name
            var rest = name.hasPrefix("X-") ? name.dropFirst(2).prefix(1).lowercased() + name.dropFirst(3) : name
            explodes = rest.hasSuffix("Each")
            if explodes { rest.removeLast("Each".count) }
            type = ["Text", "List", "Object"].first { rest.hasSuffix($0) } ?? ""
            style = String(rest.dropLast(type.count))
        }

        /// A value of one text, in which only the separators are not percent-encoded.
        func value(of raw: Substring) -> JSONValue {
            switch style {
            case "label": return parts(of: raw.dropFirst(), by: explodes ? "." : ",")
            case "matrix" where explodes && type == "Object": return pairs(raw.dropFirst().split(separator: ";"))
            case "matrix" where explodes:
                return list(raw.dropFirst().split(separator: ";").map { $0.dropFirst(name.count + 1) })
            case "matrix": return parts(of: raw.dropFirst(name.count + 2), by: ",")
            case "spaceDelimited": return parts(of: raw, by: "%20")
            case "pipeDelimited": return parts(of: raw, by: "%7C")
            default: return parts(of: raw, by: ",")
            }
        }

        private func parts(of raw: Substring, by separator: String) -> JSONValue {
            let parts = type == "Text" ? [raw] : raw.split(separator: separator, omittingEmptySubsequences: false)
            guard type == "Object" else { return list(parts) }
            if explodes { return pairs(parts) }
            return .object(
                Dictionary(
                    stride(from: 0, to: parts.count - 1, by: 2).map { (text(parts[$0]), .string(text(parts[$0 + 1]))) }
                ) { first, _ in first })
        }

        private func pairs(_ parts: [Substring]) -> JSONValue {
            .object(
                Dictionary(
                    parts.map { part in
                        let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                        return (text(sides[0]), .string(text(sides.last ?? "")))
                    }
                ) { first, _ in first })
        }

        func list(_ parts: [Substring]) -> JSONValue {
            let texts = parts.map { JSONValue.string(text($0)) }
            return type == "Text" ? texts.first ?? .null : .array(texts)
        }

        func text(_ raw: Substring) -> String { String(raw).removingPercentEncoding ?? "not percent-encoded: \(raw)" }
    }

    /// What a server reads: each parameter by its row.
    private static func read(_ request: MockRequest, _ names: [String]) -> [String: JSONValue] {
        let rows = names.map(Row.init)
        let target = request.target.split(separator: "?", maxSplits: 1)
        let path = target[0].split(separator: "/")
        switch path.first {
        case "p": return values(rows, path.dropFirst(2).map { $0 })
        case "header": return values(rows, names.map { Substring(request.fields[HTTPField.Name($0) ?? .accept] ?? "") })
        case "cookie":
            // A comma can't stand in a cookie as it is (RFC 6265).
            let pairs = (request.fields["Cookie"] ?? "").replacing("%2C", with: ",").split(separator: "; ").map {
                $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            }
            return query(rows, pairs)
        default:
            return query(
                rows,
                (target.last ?? "").split(separator: "&").map {
                    $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                })
        }
    }

    private static func values(_ rows: [Row], _ raw: [Substring]) -> [String: JSONValue] {
        Dictionary(zip(rows, raw).map { ($0.name, $0.value(of: $1)) }) { first, _ in first }
    }

    private static func query(_ rows: [Row], _ items: [[Substring]]) -> [String: JSONValue] {
        var result: [String: JSONValue] = [:]
        for row in rows {
            let named = items.filter { row.text($0[0]) == row.name }.map { $0[1] }
            func members(_ prefix: String, _ suffix: String) -> JSONValue {
                let found = ["x", "y"].map { key in
                    items.first { row.text($0[0]) == prefix + key + suffix }.map { JSONValue.string(row.text($0[1])) }
                        ?? .null
                }
                return ["x": found[0], "y": found[1]]
            }
            switch (row.style, row.explodes, row.type) {
            case ("deepObject", _, _): result[row.name] = members(row.name + "[", "]")
            case (_, true, "Object"): result[row.name] = members("", "")
            case (_, true, _): result[row.name] = row.list(named)
            default: result[row.name] = row.value(of: named.first ?? "")
            }
        }
        return result
    }

    // MARK: Tests

    /// A value of each type.
    private struct Values {
        var text = "a b/ü%?#[]{}\"<>&+"
        var texts = ["a b", "ü%/?", "", "#&+"]
        var point = TablePoint(x: "1 %/", y: "ü?&+")

        func wanted(_ name: String) -> JSONValue {
            switch Row(name).type {
            case "Text": .string(text)
            case "List": .array(texts.map(JSONValue.string))
            default: ["x": .string(point.x), "y": .string(point.y)]
            }
        }
    }

    /// Sends an endpoint over a socket, and compares what the server reads with what was given.
    private func check(
        _ names: [String], _ endpoint: Endpoint<[String: JSONValue]>, values: Values = Values()
    ) async throws {
        let server = try await MockServer { route in
            route.any("*").reply { .json(JSONValue.object(Self.read($0, names))) }
        }
        let read = try await APIClient(baseURL: server.url).send(endpoint)
        #expect(read.count == names.count)
        for name in names { #expect(read[name] == values.wanted(name), "\(name)") }
        await server.stop()
    }

    private static func names(_ style: String) -> [String] {
        [false, true].flatMap { explodes in ["Text", "List", "Object"].map { style + $0 + (explodes ? "Each" : "") } }
    }

    private let text = Values().text
    private let texts = Values().texts
    private let point = Values().point

    @Test("G2 paths: simple, label and matrix")
    func paths() async throws {
        try await check(
            Self.names("simple"),
            .sendSimpleTable(
                simpleText: text, simpleList: texts, simpleObject: point, simpleTextEach: text,
                simpleListEach: texts, simpleObjectEach: point))
        try await check(
            Self.names("label"),
            .sendLabelTable(
                labelText: text, labelList: texts, labelObject: point, labelTextEach: text,
                labelListEach: texts, labelObjectEach: point))
        try await check(
            Self.names("matrix"),
            .sendMatrixTable(
                matrixText: text, matrixList: texts, matrixObject: point, matrixTextEach: text,
                matrixListEach: texts, matrixObjectEach: point))
    }

    @Test("G2 queries: form, spaceDelimited, pipeDelimited and deepObject")
    func queries() async throws {
        func endpoint(_ texts: [String], spaces: [String]) -> Endpoint<[String: JSONValue]> {
            .sendQueryTable(
                formText: text, formList: texts, formObject: point, formTextEach: text, formListEach: texts,
                formObjectEach: point, spaceDelimitedList: spaces, pipeDelimitedList: texts,
                pipeDelimitedListEach: texts, deepObjectObjectEach: point)
        }
        try await check(
            Self.names("form") + ["pipeDelimitedList", "pipeDelimitedListEach", "deepObjectObjectEach"],
            endpoint(texts, spaces: []))
        // The separator can't be told from one in an element.
        let words = Values(texts: ["a", "ü%/?", "#&+,"])
        try await check(["spaceDelimitedList"], endpoint(texts, spaces: words.texts), values: words)
    }

    @Test("G2 header fields: simple")
    func fields() async throws {
        // The specification doesn't say how a field has other characters.
        let values = Values(text: "a b/?", texts: ["a b", "/?"], point: TablePoint(x: "1 2", y: "/?"))
        let (text, texts, point) = (values.text, values.texts, values.point)
        try await check(
            Self.names("simple").map { "X-" + $0.prefix(1).uppercased() + $0.dropFirst() },
            .sendHeaderTable(
                xSimpleText: text, xSimpleList: texts, xSimpleObject: point, xSimpleTextEach: text,
                xSimpleListEach: texts, xSimpleObjectEach: point), values: values)
    }

    @Test("G2 cookies: form, and cookie of OpenAPI 3.2")
    func cookies() async throws {
        try await check(
            Self.names("form"),
            .sendCookieTable(
                formText: text, formList: texts, formObject: point, formTextEach: text, formListEach: texts,
                formObjectEach: point))
    }
}
