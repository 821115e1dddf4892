import BenchKit
import Godwit
import Synchronization

/// What a call costs beside a number of things that the client keeps, over a transport that answers at once.
enum Growth {
    /// What there are many of.
    enum Subject: String {
        /// The client's calls go to so many hosts in turn, each with a limit of its own.
        case hosts
        /// The jar has so many cookies, ten for each host.
        case cookies
        /// The cache in memory has so many responses, which are hit in turn.
        case cache
        /// So many hosts have a learned rate limit.
        case limits
    }

    static func get(_ subject: Subject, _ options: BenchOptions) async throws -> Exchange {
        let size = options.inFlight
        let hosts = subject == .cookies ? max(1, size / 10) : size
        let urls = try (0..<min(hosts, 100_000)).map { try url($0, of: subject) }
        var fields = HTTPFields()
        if subject == .cache { fields["Cache-Control"] = "max-age=86400" }
        if subject == .limits { fields["RateLimit-Limit"] = "1000000" }
        let api = try APIClient(baseURL: "http://127.0.0.1", transport: AnsweringTransport(adding: fields)) {
            switch subject {
            case .hosts: $0.concurrency.perHost = 64
            case .cookies: $0.cookies = .jar(try jar(urls))
            case .cache: $0.cache = .memory(limit: 1 << 30)
            case .limits: $0.rateLimit = .learned
            }
        }
        for url in urls { _ = try await api.send(HTTPRequest(url: url)) }
        // Of very many cookies a jar keeps the latest.
        let called = subject == .cookies ? urls.suffix(100) : urls[...]
        let count = Atomic(0)
        return {
            let number = count.wrappingAdd(1, ordering: .relaxed).newValue
            let response = try await api.send(HTTPRequest(url: called[called.startIndex + number % called.count]))
            return try await response.body.collect(upTo: 1 << 20).count
        }
    }

    private static func url(_ number: Int, of subject: Subject) throws -> HTTPURL {
        try HTTPURL(subject == .cache ? "http://127.0.0.1/\(number)" : "https://host\(number).test/1k.json")
    }

    private static func jar(_ urls: [HTTPURL]) throws -> CookieJar {
        let jar = CookieJar()
        for url in urls {
            for number in 0..<10 { jar.store("name\(number)=value; Max-Age=86400", from: url) }
        }
        return jar
    }
}
