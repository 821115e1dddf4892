import GodwitCore
import GodwitTesting
import Testing

@Suite("O1 a feed of network paths", .timeLimit(.minutes(15)))
struct PathFeedTests {
    private static let wifi = NetworkPath(status: .satisfied, interfaces: [.wifi])
    private static let wired = NetworkPath(status: .satisfied, interfaces: [.wired])

    @Test("O1 the current path comes first, then each change")
    func order() async {
        let feed = PathFeed(.unsatisfied)
        var paths = feed.paths.makeAsyncIterator()
        #expect(await paths.next() == .unsatisfied)
        feed.update(Self.wifi)
        #expect(await paths.next() == Self.wifi)
        feed.update(Self.wired)
        #expect(await paths.next() == Self.wired)
        #expect(feed.current == Self.wired)
    }

    @Test("O1 an equal path is not a change, and a slow reader gets the latest")
    func latest() async {
        let feed = PathFeed(Self.wifi)
        var paths = feed.paths.makeAsyncIterator()
        #expect(await paths.next() == Self.wifi)
        feed.update(Self.wifi)
        feed.update(.unsatisfied)
        feed.update(Self.wired)
        feed.finish()
        #expect(await paths.next() == Self.wired)
        #expect(await paths.next() == nil)
    }

    @Test("O1 the end comes after the last path, for all, and stays")
    func end() async {
        let feed = PathFeed(.unsatisfied)
        feed.update(Self.wifi)
        feed.finish()
        feed.update(Self.wired)
        for _ in 0..<2 {
            var seen: [NetworkPath] = []
            for await path in feed.paths { seen.append(path) }
            #expect(seen == [Self.wifi])
        }
    }

    @Test("O1 canceling a reader ends only its sequence")
    func cancellation() async {
        let feed = PathFeed(Self.wifi)
        let reader = Task { await Self.count(feed) }
        let other = Task { await Self.count(feed) }
        while feed.waitingCount < 2 { await Task.yield() }
        reader.cancel()
        #expect(await reader.value == 1)
        #expect(feed.waitingCount == 1)
        feed.update(Self.wired)
        feed.finish()
        #expect(await other.value == 2)
    }

    @Test("O1 no reader misses the last of many changes")
    func noLostWakeUps() async {
        for round in 0..<200 {
            let feed = PathFeed(.unsatisfied)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        for await path in feed.paths where path == Self.wired { return }
                        Issue.record("round \(round): the last path did not come")
                    }
                }
                group.addTask {
                    for _ in 0..<(round % 7) {
                        feed.update(Self.wifi)
                        await Task.yield()
                        feed.update(.unsatisfied)
                    }
                    feed.update(Self.wired)
                }
            }
        }
    }

    private static func count(_ feed: PathFeed) async -> Int {
        var count = 0
        for await _ in feed.paths { count += 1 }
        return count
    }

    struct Scene: Sendable {
        let path: NetworkPath
        let networks: NetworkAllowance
        let reason: NetworkError.OfflineReason?

        init(
            _ kinds: [InterfaceKind], _ costs: NetworkAllowance, _ networks: NetworkAllowance,
            _ reason: NetworkError.OfflineReason?
        ) {
            path = NetworkPath(
                status: kinds.isEmpty ? .unsatisfied : .satisfied, interfaces: kinds,
                isExpensive: costs.contains(.expensive), isConstrained: costs.contains(.constrained))
            (self.networks, self.reason) = (networks, reason)
        }
    }

    private static let scenes: [Scene] = [
        Scene([], [], .all, .noPath), Scene([.wifi], [], [], nil), Scene([.cellular], [], .all, nil),
        Scene([.cellular], [.expensive], [.expensive], .cellularNotAllowed),
        Scene([.tunnel, .cellular], [.expensive], [.expensive], .cellularNotAllowed),
        Scene([.wifi, .cellular], [], [], nil), Scene([.wifi], [.expensive], [], .expensiveNotAllowed),
        Scene([.wifi], [.expensive], [.expensive], nil), Scene([.wifi], [.constrained], [], .constrainedNotAllowed),
    ]

    @Test("O2 the allowed networks of a request decide", arguments: scenes)
    func refusal(scene: Scene) {
        #expect(scene.path.refusal(of: scene.networks) == scene.reason)
    }

    @Test("O1 a path is one line")
    func description() {
        let path = NetworkPath(status: .satisfied, interfaces: [.wifi, .cellular], isExpensive: true)
        #expect(path.description == "satisfied: wifi, cellular (expensive)")
        #expect(NetworkPath.unsatisfied.description == "unsatisfied")
    }
}
