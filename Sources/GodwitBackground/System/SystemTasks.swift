package import GodwitCore

/// The system's own background transfers, of one session. On Apple's systems URLSession; tests have one of theirs.
package protocol SystemTasks: Sendable {
    /// From now on the listener is told what happens. Returns the tasks that the system still has.
    func begin(_ listener: any SystemTaskListener) async -> [SystemTaskLabel]

    func start(_ order: SystemTaskOrder)

    /// Ends a task, of which nothing is needed any more.
    func cancel(_ label: SystemTaskLabel) async

    /// Ends a task, and returns what it takes to go on with it; nil where it cannot be gone on with.
    func stop(_ label: SystemTaskLabel) async -> Data?
}

/// Is told what becomes of the system's tasks, one thing after the other.
package protocol SystemTaskListener: Sendable {
    func progressed(_ label: SystemTaskLabel, to completed: Int64, of total: Int64?)

    /// A download is complete. The file is gone when this returns.
    func received(_ file: URL, _ label: SystemTaskLabel, _ head: HTTPResponseHead)

    /// A task has ended with an answer. The first 64 KiB of an upload's.
    func answered(_ label: SystemTaskLabel, _ head: HTTPResponseHead, _ answer: Data)

    /// A task has ended without one, and what it takes to go on with it.
    func failed(_ label: SystemTaskLabel, _ kind: NetworkError.Kind, resumeData: Data?)

    /// Everything that happened while the program was away is told.
    func delivered(_ lane: SystemTaskLane)
}

/// A task to be started.
package struct SystemTaskOrder: Sendable, Hashable {
    package let label: SystemTaskLabel
    package let spec: TransferSpec
    /// What an earlier task has left; a download goes on from there.
    package let resumeData: Data?
    /// Not before this; nil for at once.
    package let earliest: Date?

    package var lane: SystemTaskLane { spec.isDiscretionary ? .discretionary : .standard }
}

/// The system decides for whole sessions, not for tasks, whether it may wait for better times.
package enum SystemTaskLane: String, Sendable, Hashable, CaseIterable {
    case standard, discretionary

    /// What the identifier of a discretionary session ends in.
    static let discretionarySuffix = ".discretionary"

    /// The identifier of the system's session.
    package func identifier(of session: String) -> String {
        self == .standard ? session : session + Self.discretionarySuffix
    }
}
