import Godwit
import GodwitBackground
import GodwitTesting
import Synchronization

/// A system whose tasks outlive the program, and end as chance has it.
final class LivelySystem: SystemTasks {
    private struct State {
        var tasks: [SystemTaskLabel: SystemTaskOrder] = [:]
        var listener: (any SystemTaskListener)?
        var dice: SeededGenerator
        var files = 0
    }

    private let state: Mutex<State>
    private let folder: URL

    init(seed: UInt64, folder: URL) {
        state = Mutex(State(dice: SeededGenerator(seed: seed)))
        self.folder = folder
    }

    func begin(_ listener: any SystemTaskListener) async -> [SystemTaskLabel] {
        state.withLock { state in
            state.listener = listener
            return Array(state.tasks.keys)
        }
    }

    func start(_ order: SystemTaskOrder) {
        state.withLock { $0.tasks[order.label] = order }
    }

    func cancel(_ label: SystemTaskLabel) async {
        state.withLock { _ = $0.tasks.removeValue(forKey: label) }
    }

    func stop(_ label: SystemTaskLabel) async -> Data? {
        await cancel(label)
        return roll(2) == 0 ? nil : Data("remains".utf8)
    }

    func roll(_ sides: Int) -> Int {
        state.withLock { Int.random(in: 0..<sides, using: &$0.dice) }
    }

    /// Takes one of the tasks away; nil where there is none.
    func takeTask() -> SystemTaskOrder? {
        state.withLock { state in
            let labels = state.tasks.keys.sorted { $0.text < $1.text }
            guard let label = labels.randomElement(using: &state.dice) else { return nil }
            return state.tasks.removeValue(forKey: label)
        }
    }

    /// Tells that a task has ended well: of a download the content is the job's id.
    func succeed(_ order: SystemTaskOrder) throws {
        guard order.spec.direction == .download else {
            listener?.answered(order.label, .status(200), Data("thanks".utf8))
            return
        }
        let number = state.withLock { state in
            state.files += 1
            return state.files
        }
        let file = folder.appending(path: "system-\(number)")
        try Data(order.label.job.uuidString.utf8).write(to: file)
        listener?.received(file, order.label, .status(200))
        listener?.answered(order.label, .status(200), Data())
        try? FileManager.default.removeItem(at: file)
    }

    /// Tells that a task has ended otherwise.
    func fail(_ order: SystemTaskOrder) {
        switch roll(6) {
        case 0: listener?.answered(order.label, .status(503), Data())
        case 1: listener?.answered(order.label, .status(404), Data())
        case 2: listener?.failed(order.label, .transport(.cannotConnect("")), resumeData: nil)
        case 3: listener?.failed(order.label, .cancelled, resumeData: Data("remains".utf8))
        default: listener?.failed(order.label, .transport(.connectionLost("")), resumeData: Data("remains".utf8))
        }
    }

    /// Tells that everything is told.
    func tellDelivered() {
        listener?.delivered(.standard)
    }

    private var listener: (any SystemTaskListener)? { state.withLock(\.listener) }
}
