/// What the transferring process answers, and what it tells whoever follows: one line of JSON.
package struct TransferReply: Sendable, Hashable, Codable {
    package var version = 1
    /// Why nothing was done; nil where it was.
    package var refusal: TransferRefusal?
    package var jobs: [BackgroundJob]?
    /// Where to ask for more jobs; nil at the end.
    package var next: Int64?
    package var events: [BackgroundEvent]?
    /// The ``TransferRelease`` of the process; nil from one of release 1.
    package var release: Int?
    /// Whether the process ends now, where it was asked to hand over.
    package var isEnding: Bool?
    /// Where a damaged queue went when the process opened it; nil if there was none.
    package var damagedQueue: String?

    /// The most bytes of an answer.
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

/// Why the transferring process does not do something.
package struct TransferRefusal: Error, Sendable, Hashable, Codable {
    package enum Code: String, Sendable, Codable {
        /// The protocol is of another version.
        case version
        /// The line makes no sense.
        case invalid
        /// There is no such job.
        case unknownJob
        /// It could not be written down.
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
        "the running godwit-transferd speaks up to version \(TransferCommand.versions.upperBound) of the protocol")

    package static func invalid(_ reason: String) -> TransferRefusal { TransferRefusal(.invalid, reason) }
}

/// The number of a `godwit-transferd`, by which the newer of two is known.
///
/// Raised whenever a newer one should take over from one that runs: with each change of what it does. A process that
/// tells none is of release 1.
package enum TransferRelease {
    /// The one that this build has.
    package static let current = 2
}
