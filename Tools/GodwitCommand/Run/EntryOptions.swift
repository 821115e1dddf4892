import Godwit
import GodwitPatterns

/// The options of one request: its section `[Options]`, or the defaults of the run.
struct EntryOptions: Sendable {
    /// The options that are supported.
    enum Name: String, Sendable, CaseIterable {
        case compressed
        case connectTimeout = "connect-timeout"
        case delay
        case location
        case maxRedirects = "max-redirs"
        case maxTime = "max-time"
        case `repeat`
        case retry
        case retryInterval = "retry-interval"
        case skip
        case user
        case variable
    }

    /// The options of Hurl that are not supported, with the reason or what to use instead.
    static let unsupported: [String: String] = [
        "insecure": "certificates are always checked; trust an authority with --cacert FILE",
        "cacert": "use --cacert FILE", "cert": "use --cert FILE", "key": "use --key FILE", "proxy": "use --proxy URL",
        "unix-socket": "use --unix-socket PATH", "http1.1": "use --http1", "verbose": "use -v",
        "very-verbose": "use -v",
    ]

    static let countLimit = 10_000

    var redirects: RedirectPolicy
    var timeouts: Timeouts
    var retries: Int
    var retryInterval: Duration
    var delay = Duration.zero
    var repetitions = 1
    var isSkipped = false
    var user: String?

    /// Applies the options of an entry in order, and sets its variables.
    mutating func apply(_ options: [RequestEntry.EntryOption], _ variables: inout Variables) throws(CheckFailure) {
        for option in options {
            do throws(CheckFault) {
                try apply(option.name, try option.value.text(variables), &variables)
            } catch {
                throw CheckFailure(offset: option.offset, message: "\(option.name.rawValue): \(error.message)")
            }
        }
    }

    /// Checks a value without variables.
    static func check(_ name: Name, _ text: String) throws(CheckFault) {
        var options = EntryOptions(redirects: .block, timeouts: Timeouts(), retries: 0, retryInterval: .zero)
        var variables = Variables()
        try options.apply(name, text, &variables)
    }

    private mutating func apply(_ name: Name, _ text: String, _ variables: inout Variables) throws(CheckFault) {
        switch name {
        // Bodies are compressed and decompressed in any case.
        case .compressed: _ = try Self.bool(text)
        case .connectTimeout: timeouts.connect = try Self.duration(text, unit: .seconds(1))
        case .maxTime: timeouts.call = try Self.duration(text, unit: .seconds(1))
        case .delay: delay = try Self.duration(text)
        case .retryInterval: retryInterval = try Self.duration(text)
        case .location: redirects = try Self.bool(text) ? .follow : .block
        case .maxRedirects: redirects = .followUp(to: try Self.count(text))
        case .repeat: repetitions = try Self.count(text)
        case .retry: retries = try Self.count(text)
        case .skip: isSkipped = try Self.bool(text)
        case .user:
            guard text.contains(":") else { throw CheckFault("write name:password") }
            user = text
        case .variable:
            let (name, value) = try Self.variable(text)
            variables[name] = value
        }
    }

    /// Parses `name=value`. A value in quotes is a string.
    static func variable(_ text: String) throws(CheckFault) -> (String, CheckValue) {
        guard let mark = text.firstIndex(of: "=") else { throw CheckFault("write name=value") }
        let name = text[..<mark].trimmingSpaces
        guard let first = name.unicodeScalars.first, first.isASCIILetter || first == "_",
            name.unicodeScalars.allSatisfy(\.isNamePart)
        else { throw CheckFault("\"\(CheckValue.shortened(name))\" is not the name of a variable") }
        if Variables.functions.contains(name) { throw CheckFault("\(name) is a function") }
        let value = text[text.index(after: mark)...].trimmingSpaces
        let isQuoted = value.count > 1 && value.hasPrefix("\"") && value.hasSuffix("\"")
        return (name, isQuoted ? .text(String(value.dropFirst().dropLast())) : CheckValue(parsing: value))
    }

    private static func bool(_ text: String) throws(CheckFault) -> Bool {
        switch text {
        case "true": true
        case "false": false
        default: throw CheckFault("write true or false")
        }
    }

    private static func count(_ text: String) throws(CheckFault) -> Int {
        guard let count = Int(text), (0...countLimit).contains(count) else {
            throw CheckFault("write a number from 0 to \(countLimit)")
        }
        return count
    }

    /// Parses `500`, `500ms`, `2s` or `1m`. A number alone is in a unit, by default milliseconds.
    static func duration(_ text: String, unit: Duration = .milliseconds(1)) throws(CheckFault) -> Duration {
        let units: [(String, Duration)] = [
            ("ms", .milliseconds(1)), ("s", .seconds(1)), ("m", .seconds(60)), ("", unit),
        ]
        for (suffix, unit) in units where text.hasSuffix(suffix) {
            if let number = Int(text.dropLast(suffix.count)), (0...100_000_000).contains(number) {
                return unit * number
            }
        }
        throw CheckFault("write a duration such as 500ms or 2s")
    }
}
