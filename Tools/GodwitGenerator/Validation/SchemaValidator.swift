import GodwitPatterns
import GodwitSupport

/// Checks values against the schemas of a document: JSON Schema, as OpenAPI 3.0 and 3.1 use it.
///
/// A value beyond ``stepLimit`` or ``depthLimit`` is accepted without a check: the peer chooses the value, and `oneOf` in
/// schemas that contain themselves multiplies the work.
struct SchemaValidator: Sendable {
    enum Direction: Sendable {
        /// Properties that only servers send aren't required.
        case request
        /// Properties that only clients send aren't required.
        case response

        /// The flag of properties that the other side sends.
        fileprivate var foreign: String { self == .request ? "readOnly" : "writeOnly" }
    }

    /// As many pairs of a keyword and a value are checked, with the lengths of the values.
    static let stepLimit = 5_000_000
    /// How deep schemas are applied in each other.
    static let depthLimit = 100

    let references: SchemaReferences
    let direction: Direction

    /// What a schema refuses; empty if it accepts the value. At most ``SchemaViolation/countLimit``.
    func violations(of value: ExactJSON, _ schema: DocumentNode) -> [SchemaViolation] {
        var check = SchemaCheck(references: references, foreign: direction.foreign)
        check.check(value, schema)
        return check.isExhausted ? [] : check.violations
    }

    func accepts(_ value: ExactJSON, _ schema: DocumentNode) -> Bool { violations(of: value, schema).isEmpty }
}

/// One check of a value with all of its parts.
struct SchemaCheck {
    let references: SchemaReferences
    /// The flag of properties that the other side sends.
    let foreign: String

    private(set) var violations: [SchemaViolation] = []
    /// Whether a limit was reached: the rest isn't checked.
    private(set) var isExhausted = false
    /// The tokens of the pointer to the value that is being checked.
    private var path: [String] = []
    /// The schemas that are being applied to this value: one that refers back to itself says nothing more.
    private var open: [String] = []
    /// The whole schema of this value.
    private(set) var whole: DocumentNode?
    private var limit = SchemaViolation.countLimit
    private var (steps, depth) = (0, 0)
    private var patterns: [String: Pattern?] = [:]
    private var patternSteps = 0

    init(references: SchemaReferences, foreign: String) {
        self.references = references
        self.foreign = foreign
    }

    mutating func check(_ value: ExactJSON, _ schema: DocumentNode) {
        if whole == nil { whole = schema }
        depth += 1
        defer { depth -= 1 }
        count(1 + schema.members.count + value.width)
        if depth > SchemaValidator.depthLimit { isExhausted = true }
        guard !isExhausted, violations.count < limit else { return }
        if schema.bool == false { return refuse("is not allowed") }
        if value == .null, schema["nullable"]?.bool == true { return }
        if let target = references.target(of: schema) {
            if !open.contains(target.key) {
                open.append(target.key)
                check(value, target.node)
                open.removeLast()
            }
            if references.ignoresSiblings { return }
        }
        let types = Nullability.types(schema)
        guard types.isEmpty || types.contains(where: { value.isOf(type: $0) }) else {
            let expected = types.map { Self.kindNames[$0] ?? $0 }.joined(separator: " or ")
            return refuse("must be \(expected), but is \(value.kindName)", isMismatch: true)
        }
        for keyword in schema.members { apply(keyword, of: schema, to: value) }
    }

    private static let kindNames = [
        "string": "a string", "number": "a number", "integer": "an integer", "boolean": "a boolean",
        "array": "an array", "object": "an object",
    ]

    private mutating func apply(_ keyword: DocumentNode.Member, of schema: DocumentNode, to value: ExactJSON) {
        let rule = keyword.value
        switch keyword.key {
        case "enum":
            count(rule.elements.count)
            guard !rule.elements.isEmpty, !rule.elements.contains(where: { ExactJSON($0) == value }) else { return }
            let known = rule.elements.prefix(10).map(\.json).joined(separator: ", ")
            refuse("must be \(rule.elements.count > 1 ? "one of " : "")\(known)\(rule.elements.count > 10 ? "…" : "")")
        case "const": if ExactJSON(rule) != value { refuse("must be \(rule.json)") }
        case "allOf": for part in rule.elements { check(value, part) }
        case "oneOf", "anyOf": checkAlternatives(value, rule.elements, of: schema, isOne: keyword.key == "oneOf")
        case "not": if rule.isObject, problems(value, rule, limit: 1).isEmpty { refuse("is excluded by `not`") }
        default:
            switch value {
            case .number(let number): checkNumber(number, keyword, of: schema)
            case .text(let text): checkText(text.description, keyword)
            case .array(let elements): checkArray(elements, keyword, of: schema)
            case .object(let members): checkObject(members, keyword, of: schema)
            case .null, .bool: break
            }
        }
    }

    /// Counts work that the schema and the value multiply.
    mutating func count(_ work: Int) {
        steps += work
        if steps > SchemaValidator.stepLimit { isExhausted = true }
    }

    mutating func refuse(_ text: String, at member: String? = nil, isMismatch: Bool = false) {
        guard violations.count < limit else { return }
        violations.append(
            SchemaViolation(text, at: path + [member].compactMap(\.self), isMismatch: isMismatch))
    }

    /// Checks a member or an element.
    mutating func check(_ value: ExactJSON, at token: String, _ schema: DocumentNode) {
        let outer = (open, whole)
        open = []
        whole = schema
        // A long name must not be copied for each value in it.
        path.append(SchemaViolation.cut(token))
        check(value, schema)
        path.removeLast()
        (open, whole) = outer
    }

    /// What a schema refuses, apart from what was refused before.
    private mutating func problems(_ value: ExactJSON, _ schema: DocumentNode, limit: Int) -> [SchemaViolation] {
        let outer = (violations, self.limit)
        violations = []
        self.limit = limit
        check(value, schema)
        defer { (violations, self.limit) = outer }
        return violations
    }

    /// Whether a text has a match. Patterns that this library can't read, such as those with lookaround, match all.
    mutating func matches(_ text: String, _ source: String) -> Bool {
        let known = patterns[source] ?? (try? Pattern(source))
        patterns[source] = .some(known)
        guard let known else { return true }
        do throws(Pattern.TooMuchWork) {
            return try known.firstMatch(in: Array(text.unicodeScalars), from: 0, steps: &patternSteps) != nil
        } catch {
            isExhausted = true
            return true
        }
    }
}

// Alternatives.
extension SchemaCheck {
    private mutating func checkAlternatives(
        _ value: ExactJSON, _ members: [DocumentNode], of schema: DocumentNode, isOne: Bool
    ) {
        guard !members.isEmpty else { return }
        if let chosen = Self.chosen(members, by: schema["discriminator"], value) { return check(value, chosen) }
        var (failures, matches): ([[SchemaViolation]], Int) = ([], 0)
        for member in members {
            let problems = problems(value, member, limit: limit - violations.count)
            if isExhausted { return }
            if problems.isEmpty { matches += 1 } else { failures.append(problems) }
            if matches > (isOne ? 1 : 0) { break }
        }
        if matches > 1 { return refuse("matches more than one schema of `oneOf`") }
        guard matches == 0 else { return }
        // Alternatives of other types, such as null, weren't meant.
        let place = SchemaViolation("", at: path).pointer
        let meant = failures.filter { problems in !problems.contains { $0.isMismatch && $0.pointer == place } }
        if meant.count == 1 || failures.count == 1 {
            violations += (meant.first ?? failures[0]).prefix(limit - violations.count)
        } else {
            refuse(
                "matches none of the \(members.count) schemas of `\(isOne ? "oneOf" : "anyOf")`",
                isMismatch: meant.isEmpty)
        }
    }

    /// The member that the value of a discriminator names; `nil` if none does.
    private static func chosen(
        _ members: [DocumentNode], by discriminator: DocumentNode?, _ value: ExactJSON
    ) -> DocumentNode? {
        guard let name = discriminator?["propertyName"]?.text, let tag = value[name]?.string else { return nil }
        let mapped = discriminator?["mapping"]?[tag]?.text ?? tag
        return members.first { member in
            guard let reference = member["$ref"]?.string else { return false }
            return reference == mapped || reference.split(separator: "/").last.map(String.init) == mapped
        }
    }
}
