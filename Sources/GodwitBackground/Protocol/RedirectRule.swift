import GodwitCore

/// What a job does on a redirect, where it does not simply follow.
package enum RedirectRule: Sendable, Hashable, Codable {
    case upTo(Int)
    case refused

    /// Nil where redirects are followed. Throws `.invalidRequest` for what only the program itself could decide.
    init?(_ policy: RedirectPolicy) throws(NetworkError) {
        switch policy {
        case .follow: return nil
        case .followUp(let count): self = .upTo(max(0, count))
        case .block: self = .refused
        case .decide:
            throw NetworkError(
                .invalidRequest(reason: "nobody is there in the background who could decide on redirects"),
                phase: .building)
        }
    }

    package var policy: RedirectPolicy {
        switch self {
        case .upTo(let count): .followUp(to: count)
        case .refused: .block
        }
    }
}
