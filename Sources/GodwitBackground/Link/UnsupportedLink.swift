#if !os(Linux)
import GodwitCore

/// Where no process transfers yet: every call throws `.unsupported`.
final class TransferLink: Sendable {
    init(_ session: String, _ configuration: BackgroundConfiguration) {}

    func send(_ command: TransferCommand) async throws(NetworkError) -> TransferReply { throw Self.missing }

    func close() {}

    fileprivate static let missing = NetworkError(
        .unsupported(feature: "background transfers", on: "this platform"), phase: .building)
}

/// Throws `.unsupported`.
final class TransferFollowing: Sendable {
    init(_ link: TransferLink) {}

    func next() async throws(NetworkError) -> BackgroundEvent? { throw TransferLink.missing }
}
#endif
