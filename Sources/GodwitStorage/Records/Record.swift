import GodwitCore

/// What a record is found by.
struct RecordName: Hashable, Sendable {
    let key: String
    let variant: String
}

/// A record without its body, by which one of several variants is chosen.
struct RecordHead: Sendable {
    /// The row. It holds for one transaction only: another process may remove it, and its number be given again.
    let row: Int
    let variant: String
    let head: Data
}

/// What a lookup finds.
enum FoundRecord<Chosen: Sendable>: Sendable {
    /// The only record of the key, to be read by whoever asked: what one thread makes and another drops costs twice.
    case only(RecordHead, body: Data)
    /// The one of several that was chosen, and what was made of its head.
    case chosen(RecordHead, Chosen, body: Data)

    var head: RecordHead {
        switch self {
        case .only(let head, _), .chosen(let head, _, _): head
        }
    }
}

/// How many bytes records may take.
struct RecordLimits: Sendable {
    let all: Int
    /// One record.
    let entry: Int
}

/// What a store keeps under a key; records of one key differ in their variant.
struct Record: Sendable {
    let key: String
    let variant: String
    /// What is known about the content, in a form of the store's own.
    let head: Data
    let body: Data
    /// What it counts for, in bytes.
    let size: Int
}
