import Godwit
import GodwitLibc

/// Environment variables by name. Those of the process are read one by one: a dictionary of all takes 0.2 ms.
struct EnvironmentVariables: Sendable {
    private let given: [String: String]?

    /// - Parameter given: `nil` for those of the process.
    init(_ given: [String: String]?) {
        self.given = given
    }

    subscript(name: String) -> String? {
        if let given { return given[name] }
        return getenv(name).map { String(cString: $0) }
    }

    var all: [String: String] { given ?? ProcessInfo.processInfo.environment }
}
