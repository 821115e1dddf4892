/// What the server counted of an upload.
nonisolated public struct Receipt: Decodable, Sendable, Hashable {
    public let bytes: Int64
}
