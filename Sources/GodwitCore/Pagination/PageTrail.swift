/// What the place of the next page depends on, if elements that were read are removed from the list.
package enum PageOrder<Place: Sendable>: Sendable {
    /// The place stays right: it names an element.
    case stable
    /// The place counts elements. The closure returns the place that is so many elements earlier, or the first one.
    case elements(@Sendable (_ count: Int) -> Place)
    /// The place counts pages, or may do so: pages that were read are read again.
    case pages
}

/// The places of the pages that were read, to find the place of the next one after removals.
///
/// A server's list gets shorter when elements are removed. A place that counts elements or pages is then too far by that
/// many elements, which would be skipped.
package struct PageTrail<Place: Sendable>: Sendable {
    /// The places that may be read again, in order.
    private var places: [Place] = []
    /// The number of elements in the largest page: never more than the server's page size.
    private var pageSize = 0

    package init() {}

    /// Adds a page that was read.
    package mutating func add(_ place: Place, _ order: PageOrder<Place>, count: Int) {
        guard case .pages = order else { return }
        places.append(place)
        pageSize = max(pageSize, count)
    }

    /// Returns the place to read instead of the next one; `nil` if the next one is right.
    ///
    /// - Parameters:
    ///   - order: That of the next place.
    ///   - removed: How many of the elements that were read the server no longer has. More than that is safe: elements
    ///     are read twice.
    package mutating func place(_ order: PageOrder<Place>, removed: Int) -> Place? {
        guard removed > 0 else { return nil }
        switch order {
        case .stable: return nil
        case .elements(let earlier): return earlier(removed)
        case .pages: return earlierPage(removed)
        }
    }

    private mutating func earlierPage(_ removed: Int) -> Place? {
        guard !places.isEmpty else { return nil }
        let size = max(pageSize, 1)
        let count = min((removed - 1) / size + 1, places.count)
        let place = places[places.count - count]
        places.removeLast(count)
        return place
    }
}
