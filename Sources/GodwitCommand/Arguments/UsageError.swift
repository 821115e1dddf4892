/// A command line that cannot be used, with the reason.
struct UsageError: Error, CustomStringConvertible {
    let reason: String
    let command: String?

    /// - Parameter command: Whose help to point to; nil for the overview.
    init(_ reason: String, command: String? = nil) {
        self.reason = reason
        self.command = command
    }

    var description: String {
        "\(reason); see: godwit \(command.map { "\($0) " } ?? "")--help"
    }
}
