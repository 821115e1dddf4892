import GodwitCore

/// The identity of a record.
struct RecordName: Hashable, Sendable {
    let key: String
    let variant: String
}

/// A record without its body, used to choose among several variants.
struct RecordHead: Sendable {
    /// The row ID. Valid for one transaction only: another process may remove the row and reuse its ID.
    let row: Int
    let variant: String
    let head: Data
}

/// The result of a lookup.
enum FoundRecord<Chosen: Sendable>: Sendable {
    /// The only record of the key, unparsed: parsing on the queue and releasing in another thread would cost twice.
    case only(RecordHead, body: Data)
    /// The chosen variant, and the value made from its head.
    case chosen(RecordHead, Chosen, body: Data)

    var head: RecordHead {
        switch self {
        case .only(let head, _), .chosen(let head, _, _): head
        }
    }
}

/// Limits of record sizes in bytes.
struct RecordLimits: Sendable {
    /// Maximum bytes of all records.
    let all: Int
    /// Maximum bytes of one record.
    let entry: Int
}

/// A stored value; records of one key differ in their variant.
struct Record: Sendable {
    let key: String
    let variant: String
    /// The metadata, in the store's format.
    let head: Data
    let body: Data
    /// The size that counts toward the limit, in bytes.
    let size: Int
}
