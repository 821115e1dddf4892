/// The server's confirmation of an upload.
nonisolated public struct Receipt: Decodable, Sendable, Hashable {
    public let bytes: Int64
}
