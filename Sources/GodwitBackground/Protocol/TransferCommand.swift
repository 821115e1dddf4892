import GodwitCore

/// A command to the transferring process: one line of JSON.
package enum TransferCommand: Sendable, Hashable {
    case open(String, TransferSettings)
    case add(String, TransferSpec)
    case list(String, after: Int64)
    case pause(String, UUID)
    case resume(String, UUID)
    case cancel(String, UUID)
    case follow(String, after: Int64)
    case missed(String, after: Int64)
    case acknowledge(String, Int64)
    case finish(String)
    /// Asks for the release of the process. If it is older than this one, it ends, so that the sender can take over.
    case handOver(String, release: Int)

    /// The protocol versions. A process rejects commands of other versions with `version`.
    package static let versions = 1...3

    /// The lowest version that supports the command, so that an older process doesn't run a job without its rules.
    package var version: Int {
        switch self {
        case .handOver: 3
        case .add(_, let spec) where spec.hasRules: 2
        default: 1
        }
    }

    /// The maximum size of a command in bytes.
    package static let lineLimit = 1 << 20

    package var session: String {
        switch self {
        case .open(let session, _), .add(let session, _), .list(let session, _), .pause(let session, _),
            .resume(let session, _), .cancel(let session, _), .follow(let session, _), .missed(let session, _),
            .acknowledge(let session, _), .finish(let session), .handOver(let session, _):
            session
        }
    }

    /// Whether this is a valid identifier of a session.
    package static func isIdentifier(_ text: String) -> Bool {
        (1...200).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}

extension TransferCommand: Codable {
    private enum Key: String, CodingKey {
        case version, command, session, settings, spec, job, after, event, release
    }

    private enum Name: String, Codable {
        case open, add, list, pause, resume, cancel, follow, missed, acknowledge, finish, handOver
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        guard Self.versions.contains(try values.decode(Int.self, forKey: .version)) else {
            throw TransferRefusal.version
        }
        let session = try values.decode(String.self, forKey: .session)
        guard Self.isIdentifier(session) else { throw TransferRefusal.invalid("the session's identifier is not valid") }
        guard let name = Name(rawValue: try values.decode(String.self, forKey: .command)) else {
            throw TransferRefusal.invalid("unknown command")
        }
        func job() throws -> UUID { try values.decode(UUID.self, forKey: .job) }
        func after() throws -> Int64 { try values.decode(Int64.self, forKey: .after) }
        switch name {
        case .open: self = .open(session, try values.decode(TransferSettings.self, forKey: .settings))
        case .add: self = .add(session, try values.decode(TransferSpec.self, forKey: .spec))
        case .list: self = .list(session, after: try after())
        case .pause: self = .pause(session, try job())
        case .resume: self = .resume(session, try job())
        case .cancel: self = .cancel(session, try job())
        case .follow: self = .follow(session, after: try after())
        case .missed: self = .missed(session, after: try after())
        case .acknowledge: self = .acknowledge(session, try values.decode(Int64.self, forKey: .event))
        case .finish: self = .finish(session)
        case .handOver: self = .handOver(session, release: try values.decode(Int.self, forKey: .release))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(version, forKey: .version)
        try values.encode(session, forKey: .session)
        try values.encode(name, forKey: .command)
        switch self {
        case .open(_, let settings): try values.encode(settings, forKey: .settings)
        case .add(_, let spec): try values.encode(spec, forKey: .spec)
        case .pause(_, let job), .resume(_, let job), .cancel(_, let job): try values.encode(job, forKey: .job)
        case .list(_, let after), .follow(_, let after), .missed(_, let after):
            try values.encode(after, forKey: .after)
        case .acknowledge(_, let event): try values.encode(event, forKey: .event)
        case .handOver(_, let release): try values.encode(release, forKey: .release)
        case .finish: break
        }
    }

    private var name: Name {
        switch self {
        case .open: .open
        case .add: .add
        case .list: .list
        case .pause: .pause
        case .resume: .resume
        case .cancel: .cancel
        case .follow: .follow
        case .missed: .missed
        case .acknowledge: .acknowledge
        case .finish: .finish
        case .handOver: .handOver
        }
    }
}
