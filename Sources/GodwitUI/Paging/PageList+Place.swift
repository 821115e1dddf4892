import GodwitCore

extension PageList {
    /// The position in one reading of the list.
    struct Place {
        /// After a refresh, all pages are requested from the server: cached ones don't match its first page.
        let policy: CachePolicy?
        let step: Step
    }
}

/// What an event says of an element of a list.
enum ElementEvent<Item> {
    case value(Item)
    case removed
    /// It changed, and the list doesn't have it yet.
    case unknown

    /// Whether the elements after it move.
    var isRemoval: Bool { if case .removed = self { true } else { false } }
}
