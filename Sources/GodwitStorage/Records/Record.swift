import GodwitCore

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
