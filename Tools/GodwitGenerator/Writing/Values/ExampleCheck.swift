/// Whether a planned type decodes a value: examples of documents often contradict their own schemas.
///
/// It is stricter than decoding where that is simpler; what it accepts is decoded.
struct ExampleCheck: Sendable {
    let models: ModelIndex

    func fits(_ node: DocumentNode, _ type: SwiftType) -> Bool { fits(node, type, depth: 0) }

    private func fits(_ node: DocumentNode, _ type: SwiftType, depth: Int) -> Bool {
        guard depth < JSONText.depthLimit else { return false }
        switch models.resolved(type) {
        case .builtin(let name): return Self.fits(node, builtin: name)
        case .model(let name), .open(let name): return fits(node, name, depth: depth)
        case .array(let element):
            guard case .array(let elements) = node.value else { return false }
            return elements.allSatisfy { fits($0, element, depth: depth + 1) }
        case .dictionary(let element):
            return Self.hasDistinctKeys(node) && node.members.allSatisfy { fits($0.value, element, depth: depth + 1) }
        case .optional(let wrapped), .patch(let wrapped), .indirect(let wrapped):
            return node.isNull || fits(node, wrapped, depth: depth)
        }
    }

    private func fits(_ node: DocumentNode, _ name: TypeName, depth: Int) -> Bool {
        switch models[name]?.kind {
        case .structure(let plan): return fits(node, plan, depth: depth)
        case .enumeration(let plan):
            return plan.base == .string ? node.string != nil : Self.fits(node, builtin: "Int")
        case .union(let plan): return fits(node, plan, depth: depth)
        case .alias, nil: return false
        }
    }

    private func fits(_ node: DocumentNode, _ plan: StructurePlan, depth: Int) -> Bool {
        guard Self.hasDistinctKeys(node) else { return false }
        var known: Set<String> = []
        for property in plan.properties {
            known.insert(property.key)
            if let value = node[property.key] {
                guard fits(value, property.type, depth: depth + 1),
                    property.constantNode.map({ $0.value == value.value }) ?? true
                else { return false }
            } else if !property.type.isOptional, property.isAlwaysInJSON {
                return false
            }
        }
        guard let additional = plan.additional else { return true }
        return node.members.allSatisfy { known.contains($0.key) || fits($0.value, additional, depth: depth + 1) }
    }

    private func fits(_ node: DocumentNode, _ plan: UnionPlan, depth: Int) -> Bool {
        guard let key = plan.discriminator else {
            return plan.cases.contains { fits(node, $0.type, depth: depth + 1) }
        }
        guard let tag = node[key]?.string, let choice = plan.cases.first(where: { $0.tags.contains(tag) }) else {
            return false
        }
        return fits(node, choice.type, depth: depth + 1)
    }

    private static func hasDistinctKeys(_ node: DocumentNode) -> Bool {
        node.isObject && Set(node.members.map(\.key)).count == node.members.count
    }
}

extension ExampleCheck {
    private static func fits(_ node: DocumentNode, builtin name: String) -> Bool {
        switch name {
        case "JSONValue": true
        case "Bool": node.bool != nil
        case "Int", "Int64": digits(of: node).map { Int64($0) != nil } ?? false
        case "Int32": digits(of: node).map { Int32($0) != nil } ?? false
        case "UInt", "UInt64": digits(of: node).map { UInt64($0) != nil } ?? false
        case "UInt32": digits(of: node).map { UInt32($0) != nil } ?? false
        case "Double", "Float": digits(of: node).map { Double($0)?.isFinite ?? false } ?? false
        case "Decimal": digits(of: node).map { $0.utf8.count < 16 && Double($0) != nil } ?? false
        case "String": node.string != nil
        case "Date": node.string.map { DateText.isDate($0) || DateText.isDateTime($0) } ?? false
        case "Day": node.string.map(DateText.isDate) ?? false
        case "UUID": node.string.flatMap { UUID(uuidString: $0) } != nil
        case "Data": node.string.flatMap { Data(base64Encoded: $0) } != nil
        case "URL", "HTTPURL": node.string.map(isURL) ?? false
        default: false
        }
    }

    private static func digits(of node: DocumentNode) -> String? {
        if case .number(let text) = node.value { text } else { nil }
    }

    private static func isURL(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !text.contains { "<>\"{}|\\^`%[]".contains($0) }
            && URL(string: text) != nil
    }
}

/// Dates of ISO 8601 (RFC 3339), as far as examples need them.
enum DateText {
    /// `2026-03-01`
    static func isDate(_ text: some StringProtocol) -> Bool { isDate(text, years: 1601...9999) }

    private static func isDate(_ text: some StringProtocol, years: ClosedRange<Int>) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2] else { return false }
        guard let year = number(parts[0]), let month = number(parts[1]), let day = number(parts[2]) else {
            return false
        }
        return years.contains(year) && (1...12).contains(month) && (1...days(month)).contains(day)
    }

    /// `2026-03-01T12:30:00.5+01:00`, also in the year 1, which is Go's zero value.
    ///
    /// - Parameter digits: How many digits a second's fraction has at most. Dates are written with milliseconds: more digits
    ///   would not come back.
    static func isDateTime(_ text: String, digits: Int = 3) -> Bool {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard parts.count == 2, isDate(parts[0], years: 1...9999) else { return false }
        var time = parts[1]
        if time.hasSuffix("Z") {
            time.removeLast()
        } else if let sign = time.lastIndex(where: { $0 == "+" || $0 == "-" }) {
            guard isClock(time[time.index(after: sign)...], parts: 2) else { return false }
            time = time[..<sign]
        } else {
            return false
        }
        let fraction = time.split(separator: ".", omittingEmptySubsequences: false)
        guard fraction.count <= 2, isClock(fraction[0], parts: 3) else { return false }
        return fraction.count == 1 || (1...digits).contains(fraction[1].utf8.count) && number(fraction[1]) != nil
    }

    private static func isClock(_ text: Substring, parts count: Int) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == count, parts.allSatisfy({ $0.utf8.count == 2 }) else { return false }
        let numbers = parts.compactMap(number)
        return numbers.count == count && numbers[0] < 24 && numbers.dropFirst().allSatisfy { $0 < 60 }
    }

    private static func days(_ month: Int) -> Int { month == 2 ? 28 : [4, 6, 9, 11].contains(month) ? 30 : 31 }

    private static func number(_ text: some StringProtocol) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
    }
}
