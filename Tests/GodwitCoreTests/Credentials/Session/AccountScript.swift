import GodwitCore
import GodwitTesting
import Synchronization

/// One interleaving: calls, sign-ins and sign-outs in an order that a seed decides, and what must hold of it.
struct AccountScript: Sendable {
    private struct Who: Codable, Sendable {
        let user: String
    }

    /// Notes in which generation each call was started.
    private struct Witness: RequestMiddleware {
        let stamps = Noted<AccountStamp>()

        func prepare(_ call: inout Call) {
            if let id = call.request.fields["X-Request-ID"] { stamps[id] = call.account }
        }
    }

    /// Loses what a call knows of its account: so the script can show that it finds faults.
    private struct Forgetful: Middleware {
        func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
            try await next(Call(call.request))
        }
    }

    private let seed: UInt64
    private let server: AccountServer
    private let api: APIClient
    private let store = MemoryTokenStore()
    private let cache = MemoryCacheStore(limit: 1 << 20)
    private let models = MemoryModelStore(limit: 1 << 20)
    private let witness = Witness()
    /// What each call got.
    private let values = Noted<String>()

    init(seed: UInt64, isGuarded: Bool = true) {
        self.seed = seed
        server = AccountServer(seed: seed)
        api = APIClient(baseURL: "https://api.example.com", transport: server) { [store, cache, witness] in
            $0.authentication = .refreshing(store) { api, old in
                let url = try HTTPURL("https://api.example.com/refresh")
                let request = HTTPRequest(method: .post, url: url, body: .bytes(Data((old.refresh ?? "").utf8)))
                let response = try await api.send(request)
                guard response.head.status.isSuccessful else { throw NetworkError(.unauthorized, phase: .validating) }
                return AccessToken(access: try await response.body.text(), refresh: old.refresh)
            }
            $0.cache = .store(cache)
            $0.coalescesRequests = true
            $0.clock = YieldingClock()
            $0.retry.maximumAttempts = 2
            $0.middleware = isGuarded ? [witness] : [witness, Forgetful()]
        }
    }

    /// Runs it; what was wrong, and how many requests were sent.
    func run() async -> (faults: [String], requests: Int) {
        var generator = SeededGenerator(seed: seed)
        var tasks: [Task<Void, Never>] = []
        await signIn("first").value
        for step in 0..<Int.random(in: 6...10, using: &generator) {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: tasks.append(Task { try? await api.signOut() })
            case 1: tasks.append(signIn("user\(step)"))
            case 2: await signIn("user\(step)").value
            case 3...6: tasks.append(call("\(seed)-\(step)", &generator))
            default: server.answerOne()
            }
            for _ in 0..<Int.random(in: 0..<6, using: &generator) { await Task.yield() }
        }
        server.open()
        for task in tasks { await task.value }
        return (await faults(), server.sightings.count)
    }

    /// Signs in as a user that no other sign-in of this script has.
    private func signIn(_ user: String) -> Task<Void, Never> {
        Task { try? await api.signIn(server.newToken(for: user)) }
    }

    private func call(_ id: String, _ generator: inout SeededGenerator) -> Task<Void, Never> {
        let path = ["me", "me", "flaky"].randomElement(using: &generator) ?? "me"
        let isPost = Int.random(in: 0..<4, using: &generator) == 0
        let isReading = Int.random(in: 0..<4, using: &generator) == 0
        var endpoint = isPost ? Endpoint<Who>.post("\(path)") : Endpoint<Who>.get("\(path)")
        endpoint.fields["X-Request-ID"] = id
        return Task { [endpoint] in
            if isReading {
                var iterator = api.reading(endpoint, from: models, key: path).makeAsyncIterator()
                while let reading = try? await iterator.next() { values[id] = reading.value.user }
            } else if let who = try? await api.send(endpoint) {
                values[id] = who.user
            }
        }
    }

    /// Every user is that of one generation, and every generation that of one user.
    private func faults() async -> [String] {
        var faults: [String] = []
        var owners: [AccountStamp: String] = [:]
        var generations: [String: AccountStamp] = [:]
        func note(_ user: String?, _ call: String, _ place: String) {
            guard let user, let stamp = witness.stamps[call] else { return }
            if owners[stamp, default: user] != user || generations[user, default: stamp] != stamp {
                faults.append("\(place) of \(user) for call \(call) of \(owners[stamp] ?? "an earlier account")")
            }
            owners[stamp] = user
            generations[user] = stamp
        }
        for sighting in server.sightings {
            note(sighting.token, sighting.call, "token")
            note(sighting.cookie, sighting.call, "cookie")
            if let token = sighting.token, let cookie = sighting.cookie, token != cookie {
                faults.append("\(sighting.path) with the token of \(token) and the cookie of \(cookie)")
            }
        }
        for (call, user) in values.all { note(user, call, "value") }
        return await faults + stored()
    }

    /// Everything stored in the end belongs to the user that is then signed in.
    private func stored() async -> [String] {
        let user = store.load()?.access.split(separator: ".").first.map(String.init)
        var found = api.cookieJar?.cookies.map(\.value) ?? []
        for url in await cache.urls() {
            for response in await cache.responses(for: url) {
                found.append((try? JSONDecoder().decode(Who.self, from: response.body))?.user ?? "?")
            }
        }
        for path in ["me", "flaky"] {
            guard let model = await models.model(for: path) else { continue }
            found.append((try? JSONDecoder().decode(Who.self, from: model.data))?.user ?? "?")
        }
        return found.filter { $0 != user }.map { "what \($0) left is stored for \(user ?? "nobody")" }
    }
}

/// A value for each name, from any task.
final class Noted<Value: Sendable>: Sendable {
    private let table = Mutex<[String: Value]>([:])

    var all: [String: Value] { table.withLock { $0 } }

    subscript(name: String) -> Value? {
        get { table.withLock { $0[name] } }
        set { table.withLock { $0[name] = newValue } }
    }
}
