import GodwitJSON

/// A text that differs if values differ in any way that a program can see: the sign of zero, the last bit of a number,
/// the code points of a string.
func describe(_ value: some Any) -> String {
    switch value {
    case let value as any DescribedExactly: value.exactDescription
    default: String(reflecting: value)
    }
}

/// A value whose own description hides differences or has no stable order.
protocol DescribedExactly {
    var exactDescription: String { get }
}

extension Double: DescribedExactly {
    var exactDescription: String { isNaN ? "nan" : "\(self)#\(String(bitPattern, radix: 16))" }
}

extension Float: DescribedExactly {
    var exactDescription: String { isNaN ? "nan" : "\(self)#\(String(bitPattern, radix: 16))" }
}

extension Date: DescribedExactly {
    var exactDescription: String { "Date(\(timeIntervalSinceReferenceDate.exactDescription))" }
}

extension Data: DescribedExactly {
    var exactDescription: String { "Data(\(base64EncodedString()))" }
}

extension URL: DescribedExactly {
    var exactDescription: String { "URL(\(absoluteString), base \(baseURL?.absoluteString ?? "none"))" }
}

extension Decimal: DescribedExactly {
    var exactDescription: String { "Decimal(\(self), exponent \(exponent))" }
}

extension Optional: DescribedExactly {
    var exactDescription: String {
        switch self {
        case .some(let value): "Optional(\(describe(value)))"
        case .none: "nil"
        }
    }
}

extension Array: DescribedExactly {
    var exactDescription: String { "[\(map { describe($0) }.joined(separator: ", "))]" }
}

extension Set: DescribedExactly {
    var exactDescription: String { "{\(map { describe($0) }.sorted().joined(separator: ", "))}" }
}

extension Dictionary: DescribedExactly {
    var exactDescription: String {
        "{\(map { "\(describe($0.key)): \(describe($0.value))" }.sorted().joined(separator: ", "))}"
    }
}
