/// The command line of a bench: `MODE URL COUNT INFLIGHT [--http2 | --http3] [--cacert FILE] [--file FILE] [--redis URL]`.
public struct BenchOptions: Sendable {
    /// What to measure.
    public var mode: String
    /// The URL to ask.
    public var url: String
    /// The number of requests to measure.
    public var count: Int
    /// Maximum requests in flight.
    public var inFlight: Int
    /// Whether to ask for HTTP/2 by ALPN; HTTP/1.1 otherwise.
    public var usesHTTP2 = false
    /// Whether to use HTTP/3 alone.
    public var usesHTTP3 = false
    /// The authorities to trust (PEM); `nil` means the system's.
    public var authoritiesFile: String?
    /// The file to download to or to upload from.
    public var file: String?
    /// The Redis that limits calls.
    public var redis: String?

    /// Parses the arguments without the program's name; `nil` if they are invalid.
    public init?(_ arguments: some Sequence<String>) {
        var positional: [String] = []
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "--http2": usesHTTP2 = true
            case "--http3": usesHTTP3 = true
            case "--cacert":
                guard let value = rest.next() else { return nil }
                authoritiesFile = value
            case "--file":
                guard let value = rest.next() else { return nil }
                file = value
            case "--redis":
                guard let value = rest.next() else { return nil }
                redis = value
            default:
                if argument.hasPrefix("-") { return nil }
                positional.append(argument)
            }
        }
        guard positional.count == 4, let count = Int(positional[2]), let inFlight = Int(positional[3]),
            count > 0, inFlight > 0
        else { return nil }
        mode = positional[0]
        url = positional[1]
        self.count = count
        self.inFlight = inFlight
    }

    /// How many requests to send before measuring: a tenth, from one per request under way to 2,000. The same as in
    /// the raw C programs.
    public var warmUpCount: Int {
        max(inFlight, min(count / 10, 2000))
    }
}
