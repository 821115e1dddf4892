/// A reply of the transferring process: one line of JSON.
package struct TransferReply: Sendable, Hashable, Codable {
    package var version = 1
    /// Why the command was rejected; `nil` if it succeeded.
    package var refusal: TransferRefusal?
    package var jobs: [BackgroundJob]?
    /// The number after which to list more jobs; `nil` at the end.
    package var next: Int64?
    package var events: [BackgroundEvent]?
    /// The ``TransferRelease`` of the process; `nil` for release 1.
    package var release: Int?
    /// Whether the process ends now, in reply to `handOver`.
    package var isEnding: Bool?
    /// The new path of a damaged queue; `nil` if the queue was not damaged.
    package var damagedQueue: String?

    /// The maximum size of a reply in bytes.
    package static let lineLimit = 16 << 20

    package init(
        refusal: TransferRefusal? = nil, jobs: [BackgroundJob]? = nil, next: Int64? = nil,
        events: [BackgroundEvent]? = nil, release: Int? = nil, isEnding: Bool? = nil, damagedQueue: String? = nil
    ) {
        self.refusal = refusal
        self.jobs = jobs
        self.next = next
        self.events = events
        self.release = release
        self.isEnding = isEnding
        self.damagedQueue = damagedQueue
    }
}

/// Why the transferring process rejected a command.
package struct TransferRefusal: Error, Sendable, Hashable, Codable {
    package enum Code: String, Sendable, Codable {
        /// The protocol version is not supported.
        case version
        /// The command is not valid.
        case invalid
        /// The job doesn't exist.
        case unknownJob
        /// The queue could not be written.
        case storage
    }

    package let code: Code
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package static let version = TransferRefusal(
        .version,
        "the running godwit-transferd supports protocol versions up to \(TransferCommand.versions.upperBound)")

    package static func invalid(_ reason: String) -> TransferRefusal { TransferRefusal(.invalid, reason) }
}

/// The release number of `godwit-transferd`.
///
/// Increase it with each change of behavior, so that a newer process takes over from an older one. A process that reports
/// no number has release 1.
package enum TransferRelease {
    /// The release of this build.
    package static let current = 2
}
