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
