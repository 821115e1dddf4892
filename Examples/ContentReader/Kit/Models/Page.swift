/// A page of a list.
nonisolated public struct Page<Item: Decodable & Sendable>: Decodable, Sendable {
    public let items: [Item]
    public let page: Int
    public let perPage: Int
    public let total: Int
}
