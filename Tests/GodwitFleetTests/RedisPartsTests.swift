import Godwit
@testable import GodwitCore
@testable import GodwitFleet
import GodwitSupport
import Testing

@Suite("Parts of connections to Redis")
struct RedisPartsTests {
    private let node = RedisURL.Address(host: "10.0.0.1", port: 6379)

    @Test("G5 Addresses are tried from the one that worked last, and each has an equal part of the time left")
    func addresses() {
        var order = AddressOrder()
        #expect(order.indices(3) == [0, 1, 2])
        order.succeed(2)
        #expect(order.indices(3) == [2, 0, 1])
        order.fail()
        #expect(order.indices(3) == [0, 1, 2])
        #expect(order.indices(0).isEmpty)
        let now = ContinuousClock.now
        let end = now + .seconds(3)
        #expect(AddressOrder.deadline(end, remaining: 3, now: now) == now + .seconds(1))
        #expect(AddressOrder.deadline(end, remaining: 1, now: now + .seconds(2)) == end)
        #expect(AddressOrder.deadline(end, remaining: 2, now: now + .seconds(4)) == end)
    }

    @Test("G5 A late command keeps its place, so that its reply isn't taken for another's")
    func pending() {
        var pending = PendingCommands<Int>()
        let start = ContinuousClock.now
        for index in 0..<200 { pending.append(index, sent: start + .seconds(index)) }
        #expect(pending.expire(sentUntil: start + .seconds(1)) == [0, 1])
        #expect(pending.expire(sentUntil: start + .seconds(1)) == [])
        #expect(pending.first == start)
        #expect(pending.firstInTime == start + .seconds(2))
        for index in 0..<150 { #expect(pending.removeFirst() == index) }
        #expect(pending.count == 50)
        #expect(pending.firstInTime == start + .seconds(150))
        #expect(pending.expire(sentUntil: start + .seconds(150)) == [150])
        #expect(pending.takeAll() == Array(150..<200))
        #expect(pending.isEmpty)
        #expect(pending.removeFirst() == nil)
    }

    @Test("G5 A redirection without a host means the same host, and one to an unknown host names none")
    func redirections() {
        #expect(
            RedisFailure(reply: "MOVED 3999 :7001", from: node).kind == .moved(.init(host: "10.0.0.1", port: 7001)))
        #expect(RedisFailure(reply: "MOVED 3999 ::1:7001", from: node).kind == .moved(.init(host: "::1", port: 7001)))
        #expect(RedisFailure(reply: "MOVED 3999 ?:7001", from: node).kind == .moved(nil))
        #expect(RedisFailure(reply: "ASK 3999 b:7001", from: node).kind == .ask(.init(host: "b", port: 7001)))
        #expect(RedisFailure(reply: "ASK 3999 b:0", from: node).kind == .other)
    }

    @Test("G5 An error of Redis is described by its first words, without what it quotes, and bounded")
    func words() {
        let failure = RedisFailure(
            reply: "ERR unknown command 'secret', with args beginning with: 'secret'", from: node)
        #expect(failure.reason == "Redis answers with an error (ERR unknown command)")
        #expect(RedisFailure(reply: String(repeating: "x", count: 9000), from: node).reason.count < 200)
        #expect(!RedisFailure(reply: "ERR a\u{1B}[31m\r\n", from: node).reason.contains("\u{1B}"))
    }

    @Test("G5 Only failures of the connection, the login or the memory concern all commands")
    func concerns() {
        for reply in ["OOM no", "NOAUTH no", "WRONGPASS no", "READONLY no", "LOADING no", "MOVED 1 a:1"] {
            #expect(RedisFailure(reply: reply, from: node).kind.concernsAllCommands)
        }
        for reply in ["NOPERM no", "ERR no", "WRONGTYPE no", "TRYAGAIN no", "CROSSSLOT no"] {
            #expect(!RedisFailure(reply: reply, from: node).kind.concernsAllCommands)
        }
    }

    @Test("G5 A connection without a file descriptor to wake its thread fails its commands instead of delaying them")
    func noDescriptor() async throws {
        let endpoint = RedisEndpoint(
            url: try RedisURL("redis://127.0.0.1:1"), tls: RedisTLS(), timeout: .seconds(1), key: "a",
            replyLimit: 1 << 20)
        let connection = RedisConnection(endpoint, for: .commands, timeout: .seconds(60)) { -1 }
        await connection.firstAttempt(within: .seconds(60))
        let outcome = await connection.send(["PING"])
        #expect(outcome == .failure(RedisFailure(.unreachable, "no file descriptor is left")))
        connection.close()
    }
}

@Suite("Health of a fleet")
struct FleetHealthTests {
    private let reason = FleetUnavailable(RedisFailure(.unreachable, "gone"), at: "a:1")

    private func health(expecting members: Int) -> FleetHealth { FleetHealth(expectedMembers: members, reason) }

    @Test(
        "G5 Lost processes count: the others leave them their share, and a process that loses Redis too takes its own")
    func lost() {
        var health = health(expecting: 1)
        #expect(health.succeed(members: 6, lost: 2, epoch: "a", at: .zero, life: .seconds(6)) == false)
        #expect(health.state == .shared(members: 6))
        #expect(health.absent(at: .zero) == 2)
        #expect(health.fail(reason, at: .seconds(1)) == true)
        #expect(health.state == .local(members: 8, reason))
        #expect(health.absent(at: .seconds(1)) == 0)
    }

    @Test("G5 After a start, the expected number counts until the others are known, without slowing those who share")
    func start() {
        var health = health(expecting: 8)
        _ = health.succeed(members: 1, lost: 0, epoch: "a", at: .zero, life: .seconds(6))
        #expect(health.state == .shared(members: 1))
        #expect(health.absent(at: .seconds(1)) == 0)
        var later = health
        _ = health.fail(reason, at: .seconds(1))
        #expect(health.state == .local(members: 8, reason))
        _ = later.succeed(members: 2, lost: 0, epoch: "a", at: .seconds(7), life: .seconds(6))
        _ = later.fail(reason, at: .seconds(8))
        #expect(later.state == .local(members: 2, reason))
    }

    @Test("G5 In a Redis that lost its data, those that aren't back yet keep their share")
    func emptied() {
        var health = health(expecting: 1)
        _ = health.succeed(members: 8, lost: 0, epoch: "a", at: .zero, life: .seconds(6))
        _ = health.fail(reason, at: .seconds(1))
        #expect(health.succeed(members: 1, lost: 0, epoch: "b", at: .seconds(2), life: .seconds(6)) == true)
        #expect(health.absent(at: .seconds(2)) == 7)
        #expect(health.succeed(members: 5, lost: 0, epoch: "b", at: .seconds(4), life: .seconds(6)) == false)
        #expect(health.absent(at: .seconds(4)) == 3)
        #expect(health.succeed(members: 5, lost: 0, epoch: "b", at: .seconds(9), life: .seconds(6)) == false)
        #expect(health.absent(at: .seconds(9)) == 0)
    }

    @Test("G5 A closed fleet stays local")
    func closed() {
        var health = health(expecting: 1)
        _ = health.succeed(members: 3, lost: 0, epoch: "a", at: .zero, life: .seconds(6))
        health.close(reason, at: .zero)
        #expect(health.succeed(members: 3, lost: 0, epoch: "a", at: .zero, life: .seconds(6)) == false)
        #expect(health.state == .local(members: 3, reason))
    }
}
