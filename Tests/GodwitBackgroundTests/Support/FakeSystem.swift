import Godwit
import GodwitBackground
import Synchronization

/// A system that transfers nothing, and tells what a test has it tell.
final class FakeSystem: SystemTasks {
    private struct State {
        var labels: [SystemTaskLabel] = []
        var orders: [SystemTaskOrder] = []
        var cancelled: [SystemTaskLabel] = []
        var listener: (any SystemTaskListener)?
    }

    private let state: Mutex<State>
    /// What a task leaves that is stopped.
    let remains: Data?

    /// - Parameter labels: The tasks of an earlier run of the program.
    init(_ labels: [SystemTaskLabel] = [], remains: Data? = nil) {
        state = Mutex(State(labels: labels))
        self.remains = remains
    }

    var orders: [SystemTaskOrder] { state.withLock(\.orders) }
    var cancelled: [SystemTaskLabel] { state.withLock(\.cancelled) }
    var listener: (any SystemTaskListener)? { state.withLock(\.listener) }

    func begin(_ listener: any SystemTaskListener) async -> [SystemTaskLabel] {
        state.withLock { state in
            state.listener = listener
            return state.labels
        }
    }

    func start(_ order: SystemTaskOrder) {
        state.withLock { $0.orders.append(order) }
    }

    func cancel(_ label: SystemTaskLabel) async {
        state.withLock { $0.cancelled.append(label) }
    }

    func stop(_ label: SystemTaskLabel) async -> Data? {
        state.withLock { $0.cancelled.append(label) }
        return remains
    }
}

/// A session on a system that is a test's, and the folder of both.
final class SystemBench: Sendable {
    let folder: URL

    init() {
        folder = URL(filePath: "/tmp/godwit-b8s-\(UInt32.random(in: .min ... .max))", directoryHint: .isDirectory)
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    var store: URL { folder.appending(path: "store", directoryHint: .isDirectory) }

    func path(_ name: String) -> URL { folder.appending(path: name) }

    func data(_ name: String) -> Data? { try? Data(contentsOf: path(name)) }

    func write(_ text: String, to name: String) throws -> URL {
        try Data(text.utf8).write(to: path(name))
        return path(name)
    }

    /// The program is started: what it finds is what an earlier run has left.
    func run(_ system: FakeSystem, _ configure: (inout SystemRules) -> Void = { _ in }) throws -> SystemTransfers {
        var rules = SystemRules()
        rules.backoff = Backoff(base: .zero)
        configure(&rules)
        return try SystemTransfers(folder: store, tasks: system, rules: rules)
    }

    func session(_ transfers: SystemTransfers) -> BackgroundSession {
        BackgroundSession(identifier: "test", link: SystemLink("test") { transfers })
    }

    func request(_ text: String = "https://example.com/a", _ method: HTTPMethod = .get) throws -> HTTPRequest {
        HTTPRequest(method: method, url: try HTTPURL(text), fields: [.authorization: "Bearer s3cret"])
    }

    /// The texts of the files in which jobs are kept.
    var written: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: store.path)) ?? []
        return names.filter { $0.hasSuffix(".job") }.compactMap {
            (try? Data(contentsOf: store.appending(path: $0))).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}

extension HTTPResponseHead {
    static func status(_ code: Int, _ fields: HTTPFields = [:]) -> HTTPResponseHead {
        HTTPResponseHead(status: HTTPStatus(code) ?? .ok, fields: fields)
    }
}
