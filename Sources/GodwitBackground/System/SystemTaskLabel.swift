import GodwitCore

/// What a task of the system's says about itself (`taskDescription`): which job it is for. Holds nothing secret.
package struct SystemTaskLabel: Sendable, Hashable, Codable {
    /// To be raised with every change of what it says. A task with another is left alone.
    private static let version = 1

    private let version: Int
    package let job: BackgroundJob.ID
    /// Which of the job's tasks it is, from 1: what an earlier one ends with no longer counts.
    package let attempt: Int

    package init(job: BackgroundJob.ID, attempt: Int) {
        version = Self.version
        self.job = job
        self.attempt = attempt
    }

    /// Reads a description; nil for what is none of ours.
    package init?(_ text: String?) {
        guard let text, let label = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)),
            label.version == Self.version
        else { return nil }
        self = label
    }

    package var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
