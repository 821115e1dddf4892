import GodwitCore
import GodwitTesting
import GodwitUI
import Testing

@Suite("V2 connectivity model", .timeLimit(.minutes(15)))
@MainActor
struct ConnectivityModelTests {
    @Test("V2 the path is known immediately, and its changes are seen")
    func follows() async {
        let feed = PathFeed(.unsatisfied)
        let model = ConnectivityModel(feed)
        #expect(!model.isOnline)
        let wifi = NetworkPath(status: .satisfied, interfaces: [.wifi])
        feed.update(wifi)
        await until { model.isOnline }
        #expect(model.path == wifi)
        feed.update(.unsatisfied)
        await until { !model.isOnline }
    }

    @Test("V2 a model that is released watches no more")
    func letGo() async throws {
        let feed = PathFeed(.unsatisfied)
        var model: ConnectivityModel? = ConnectivityModel(feed)
        while feed.waitingCount == 0 { await Task.yield() }
        #expect(model?.isOnline == false)
        model = nil
        while feed.waitingCount > 0 { await Task.yield() }
    }
}
