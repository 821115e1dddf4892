// FleetMember rate REDIS URL SECONDS RATE TASKS
// FleetMember count SECONDS [SOCKET]
// FleetMember cost REDIS COUNT
//
// URL may be unix:PATH, for members whose network is apart from the server's; SOCKET is that path.
//
// One process of a fleet: sends requests under a shared limit and prints how many. Or their server: prints its URL, then how
// many came in all, without the first and last half second, at most in any second, and in the seven seconds that end half a
// second before the end. Or prints what a check of a limit costs
// and that of a call of hiredis.

#if canImport(Glibc)
import CHiredis
import Glibc
import Godwit
import GodwitFleet
import GodwitTesting
import Synchronization

func say(_ text: String) {
    print(text)
    fflush(nil)
}

/// Sends as fast as the limit allows.
func send(_ arguments: [String]) async throws {
    guard arguments.count == 5, let seconds = Double(arguments[2]), let rate = Double(arguments[3]),
        let tasks = Int(arguments[4])
    else { throw Usage() }
    let fleet = try await Fleet(redis: arguments[0], name: "bench") {
        $0.expectedMembers = 8
    }
    let path = arguments[1].hasPrefix("unix:") ? String(arguments[1].dropFirst(5)) : nil
    let url = try HTTPURL(path == nil ? arguments[1] : "http://localhost/")
    let transport = try SocketTransport { $0.unixSocketPath = path }
    let api = APIClient(baseURL: url, transport: transport) {
        $0.rateLimit = .shared(.perSecond(rate), in: fleet)
        $0.retry.maximumAttempts = 1
    }
    // The processes begin together, so that the server sees all of them from the start.
    say("ready")
    _ = readLine()
    let end = ContinuousClock.now + .seconds(seconds)
    let count = await withTaskGroup(of: Int.self) { group in
        for _ in 0..<tasks {
            group.addTask {
                var count = 0
                while ContinuousClock.now < end {
                    do {
                        _ = try await api.send(Endpoint<Void>.get("count"))
                        count += 1
                    } catch {
                        say("failed \(error)")
                        return count
                    }
                }
                return count
            }
        }
        return await group.reduce(0, +)
    }
    await fleet.close()
    say("sent \(count)")
}

/// When requests arrived, in seconds.
final class Arrivals: Sendable {
    private let times = Mutex<[Double]>([])
    private let start = ContinuousClock.now

    func add() {
        let time = (ContinuousClock.now - start) / .seconds(1)
        times.withLock { $0.append(time) }
    }

    var all: [Double] { times.withLock(\.self).sorted() }

    /// The most in any second.
    var most: Int {
        let times = all
        var (first, most) = (0, 0)
        for (index, time) in times.enumerated() {
            while times[first] <= time - 1 { first += 1 }
            most = max(most, index - first + 1)
        }
        return most
    }
}

/// Counts requests until a line comes in.
func count(_ arguments: [String]) async throws {
    guard (1...2).contains(arguments.count), let seconds = Double(arguments[0]) else { throw Usage() }
    let arrivals = Arrivals()
    var options = MockServer.Options()
    if arguments.count == 2 { options.address = .unixSocket(path: arguments[1]) }
    let server = try await MockServer(options) { _ in
        arrivals.add()
        return .status(.noContent)
    }
    say("\(server.url)")
    _ = readLine()
    let start = arrivals.all.first ?? 0
    let all = arrivals.all
    let inside = all.count { $0 >= start + 0.5 && $0 < start + seconds - 0.5 }
    let late = all.count { $0 >= start + seconds - 7.5 && $0 < start + seconds - 0.5 }
    say("\(all.count) \(inside) \(arrivals.most) \(late)")
    await server.stop()
}

/// Compares one check with one call of hiredis, which waits for each reply on the caller's thread.
func cost(_ arguments: [String]) async throws {
    guard arguments.count == 2, let count = Int(arguments[1]),
        case .custom(let limiter) = RateRule.shared(
            .perSecond(1e6, burst: 1_000_000), in: try await Fleet(redis: arguments[0], name: "cost"))
    else { throw Usage() }
    let origin = try HTTPURL("https://api.example.com/").origin
    let address = arguments[0].split(separator: "/").last?.split(separator: ":") ?? []
    guard address.count == 2, let port = Int32(address[1]), let context = redisConnect(String(address[0]), port) else {
        throw Usage()
    }
    defer { redisFree(context) }
    for round in 0..<3 {
        let raw = try ContinuousClock().measure {
            for _ in 0..<count {
                guard let reply = withVaList([], { redisvCommand(context, "INCR {cost}:raw", $0) }) else {
                    throw Usage()
                }
                freeReplyObject(reply)
            }
        }
        let start = ContinuousClock.now
        for _ in 0..<count {
            try await limiter.admit(origin, longestWait: .seconds(10))
            limiter.end(origin, nil)
        }
        let check = ContinuousClock.now - start
        let parallelStart = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    for _ in 0..<(count / 64) {
                        try? await limiter.admit(origin, longestWait: .seconds(10))
                        limiter.end(origin, nil)
                    }
                }
            }
        }
        let parallel = ContinuousClock.now - parallelStart
        func micro(_ time: Duration) -> Double { (time / .microseconds(1) / Double(count) * 10).rounded() / 10 }
        say("round \(round + 1): hiredis \(micro(raw)) us, check \(micro(check)) us, of 64 tasks \(micro(parallel)) us")
    }
}

struct Usage: Error {}

do {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "rate": try await send(Array(arguments.dropFirst()))
    case "count": try await count(Array(arguments.dropFirst()))
    case "cost": try await cost(Array(arguments.dropFirst()))
    default: throw Usage()
    }
} catch {
    say("error: \(error)")
    exit(1)
}
#endif
