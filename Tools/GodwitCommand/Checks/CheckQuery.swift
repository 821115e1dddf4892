import Godwit
import GodwitPatterns
import GodwitSupport

/// What a check or a capture takes from a response.
enum CheckQuery: Sendable, Hashable {
    case status, version, url, body, bytes, duration, sha256, md5
    case header(Template)
    case cookie(Template)
    case jsonPath(PathSource)
    case regex(PatternSource)
    case variable(Template)

    /// Whether the query finds text from the head or body. On the command line a bare value is then text too.
    var findsText: Bool {
        switch self {
        case .version, .url, .body, .header, .cookie, .regex: true
        case .status, .bytes, .duration, .sha256, .md5, .jsonPath, .variable: false
        }
    }

    /// The templates in the query.
    var templates: [Template] {
        switch self {
        case .header(let name), .cookie(let name), .variable(let name): [name]
        case .jsonPath(let source): source.templates
        case .regex(let source): source.templates
        case .status, .version, .url, .body, .bytes, .duration, .sha256, .md5: []
        }
    }

    /// Returns what the query finds; `nil` if that is nothing.
    ///
    /// - Parameter asList: Whether the first filter takes a list.
    func find(
        in response: CheckedResponse, _ variables: Variables, asList: Bool
    ) throws(CheckFault) -> CheckValue? {
        switch self {
        case .status: .integer(response.status)
        case .version: response.version.map { .text(String($0.split(separator: "/").last ?? "")) }
        case .url: .text(response.url)
        case .body: .text(try response.text())
        case .bytes: .bytes(response.body)
        case .duration: .integer(response.milliseconds)
        case .sha256: .bytes(BodyDigest.sha256(response.body))
        case .md5: .bytes(BodyDigest.md5(response.body))
        case .header(let name): try Self.header(try name.text(variables), of: response)
        case .cookie(let name): Self.cookie(try name.text(variables), of: response)
        case .jsonPath(let source): try source.find(in: try Self.json(response.body), variables, asList: asList)
        case .regex(let source): try source.firstGroup(in: try response.text(), variables)
        case .variable(let name): variables[try name.text(variables)]
        }
    }

    static func json(_ data: Data) throws(CheckFault) -> ExactJSON {
        do throws(JSONSyntaxError) {
            return try ExactJSON(parsing: data)
        } catch {
            throw CheckFault("the body is not JSON: \(error)")
        }
    }

    /// One value, or a list if the field is repeated.
    private static func header(_ text: String, of response: CheckedResponse) throws(CheckFault) -> CheckValue? {
        guard let name = HTTPField.Name(text) else { throw CheckFault("\"\(text)\" is not a header field name") }
        let values = response.fields.values(of: name).map { ExactJSON.string($0) }
        return values.count > 1 ? .json(.array(values)) : values.first.map(CheckValue.json)
    }

    /// The value of `name`, or of an attribute: `name[Path]`.
    private static func cookie(_ text: String, of response: CheckedResponse) -> CheckValue? {
        var name = text
        var attribute = "Value"
        if text.hasSuffix("]"), let bracket = text.firstIndex(of: "[") {
            name = String(text[..<bracket])
            attribute = String(text[text.index(after: bracket)...].dropLast())
        }
        let attributes = response.cookie(name)
        let found = attributes?.first { $0.name.lowercased() == attribute.lowercased() }?.value
        switch attribute.lowercased() {
        case "secure", "httponly": return found.map { _ in .json(.bool(true)) }
        case "max-age": return found.map { CheckValue(parsing: $0) }
        default: return found.map(CheckValue.text)
        }
    }
}

/// A JSONPath that was parsed with the file, or that contains variables and is parsed when it is used.
enum PathSource: Sendable, Hashable {
    case path(JSONPath)
    case template(Template)

    var templates: [Template] {
        if case .template(let template) = self { [template] } else { [] }
    }

    func find(in root: ExactJSON, _ variables: Variables, asList: Bool) throws(CheckFault) -> CheckValue? {
        let path = try path(variables)
        do throws(JSONPath.TooMuchWork) {
            return try path.find(in: root, asList: asList).map(CheckValue.json)
        } catch {
            throw CheckFault("the JSONPath visits too many values")
        }
    }

    private func path(_ variables: Variables) throws(CheckFault) -> JSONPath {
        switch self {
        case .path(let path): return path
        case .template(let template):
            let text = try template.text(variables)
            do throws(SyntaxFault) {
                return try JSONPathParser.path(text)
            } catch {
                throw CheckFault("\(error.message), in \(CheckValue.shortened(text))")
            }
        }
    }
}

/// A pattern that was compiled with the file, or that contains variables and is compiled when it is used.
enum PatternSource: Sendable, Hashable {
    case pattern(Pattern)
    case template(Template)

    var templates: [Template] {
        if case .template(let template) = self { [template] } else { [] }
    }

    func matches(_ text: String, _ variables: Variables) throws(CheckFault) -> Bool {
        var steps = 0
        return try firstMatch(in: Array(text.unicodeScalars), from: 0, try pattern(variables), &steps) != nil
    }

    /// The text of the first group; `nil` without a match.
    func firstGroup(in text: String, _ variables: Variables) throws(CheckFault) -> CheckValue? {
        let pattern = try pattern(variables)
        guard pattern.groupCount > 0 else {
            throw CheckFault("the pattern \(pattern.source) has no group; put the part to extract in ( )")
        }
        let scalars = Array(text.unicodeScalars)
        var steps = 0
        guard let match = try firstMatch(in: scalars, from: 0, pattern, &steps), let range = match.groups[1] else {
            return nil
        }
        return .text(Self.string(scalars[range]))
    }

    /// Replaces all matches. `$1` in the replacement is the text of the first group.
    func replace(in text: String, with replacement: String, _ variables: Variables) throws(CheckFault) -> String {
        let pattern = try pattern(variables)
        let scalars = Array(text.unicodeScalars)
        var result = String.UnicodeScalarView()
        var position = 0
        var steps = 0
        while position <= scalars.count, let match = try firstMatch(in: scalars, from: position, pattern, &steps) {
            result.append(contentsOf: scalars[position..<match.range.lowerBound])
            result.append(contentsOf: Self.expanded(replacement, match, scalars))
            if result.count > Template.limit { throw CheckFault("the replaced text is too large") }
            position = match.range.upperBound
            if match.range.isEmpty {
                if position < scalars.count { result.append(scalars[position]) }
                position += 1
            }
        }
        if position < scalars.count { result.append(contentsOf: scalars[position...]) }
        return String(result)
    }

    private static func expanded(
        _ replacement: String, _ match: Pattern.Match, _ text: [Unicode.Scalar]
    ) -> String.UnicodeScalarView {
        var result = String.UnicodeScalarView()
        var scanner = TextScanner(replacement)
        while let scalar = scanner.read() {
            guard scalar == "$", let digit = scanner.next, digit.isDigit else {
                result.append(scalar)
                continue
            }
            scanner.offset += 1
            let group = Int(digit.value - 0x30)
            if group < match.groups.count, let range = match.groups[group] { result.append(contentsOf: text[range]) }
        }
        return result
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    private func firstMatch(
        in text: [Unicode.Scalar], from start: Int, _ pattern: Pattern, _ steps: inout Int
    ) throws(CheckFault) -> Pattern.Match? {
        do throws(Pattern.TooMuchWork) {
            return try pattern.firstMatch(in: text, from: start, steps: &steps)
        } catch {
            throw CheckFault("the pattern \(pattern.source) needs too much work on \(text.count) characters")
        }
    }

    private func pattern(_ variables: Variables) throws(CheckFault) -> Pattern {
        switch self {
        case .pattern(let pattern): return pattern
        case .template(let template):
            let text = try template.text(variables)
            do throws(SyntaxFault) {
                return try Pattern(text)
            } catch {
                throw CheckFault("\(error.message), in \(CheckValue.shortened(text))")
            }
        }
    }
}
