package import GodwitCore

/// The system's background transfers of a session: URLSession on Apple platforms, a simulation in tests.
package protocol SystemTasks: Sendable {
    /// Sets the listener; returns the tasks that the system still has.
    func begin(_ listener: any SystemTaskListener) async -> [SystemTaskLabel]

    func start(_ order: SystemTaskOrder)

    /// Ends a task and discards its content.
    func cancel(_ label: SystemTaskLabel) async

    /// Ends a task and returns its resume data; `nil` if it can't be resumed.
    func stop(_ label: SystemTaskLabel) async -> Data?
}

/// Receives the events of the system's tasks, one at a time.
package protocol SystemTaskListener: Sendable {
    func progressed(_ label: SystemTaskLabel, to completed: Int64, of total: Int64?)

    /// A download is complete. The file is removed after this returns.
    func received(_ file: URL, _ label: SystemTaskLabel, _ head: HTTPResponseHead)

    /// A task ended with a response. For an upload, `answer` is the first 64 KiB of its body.
    func answered(_ label: SystemTaskLabel, _ head: HTTPResponseHead, _ answer: Data)

    /// A task ended without a response.
    func failed(_ label: SystemTaskLabel, _ kind: NetworkError.Kind, resumeData: Data?)

    /// All events from before the program's start are delivered.
    func delivered(_ lane: SystemTaskLane)
}

/// A task to start.
package struct SystemTaskOrder: Sendable, Hashable {
    package let label: SystemTaskLabel
    package let spec: TransferSpec
    /// The resume data of an earlier task of the download.
    package let resumeData: Data?
    /// The earliest start; `nil` for now.
    package let earliest: Date?

    package var lane: SystemTaskLane { spec.isDiscretionary ? .discretionary : .standard }
}

/// The system's sessions: whether tasks are discretionary is a property of a session, not of a task.
package enum SystemTaskLane: String, Sendable, Hashable, CaseIterable {
    case standard, discretionary

    /// The suffix of the identifier of a discretionary session.
    static let discretionarySuffix = ".discretionary"

    /// The identifier of the URLSession.
    package func identifier(of session: String) -> String {
        self == .standard ? session : session + Self.discretionarySuffix
    }
}
