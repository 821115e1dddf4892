package import GodwitCore

/// What a list shows of a ``PageLoader``.
package enum ListPhase<ID: Hashable> {
    /// The first page loads.
    case loading
    /// A page was loaded, and the list has no elements. If a refresh failed, with the error to show next to it.
    case empty(notice: NetworkError?)
    /// The first page couldn't be loaded.
    case failure(NetworkError)
    /// The elements, and what is next to them.
    case rows(end: ListEnd<ID>, notice: NetworkError?)
}

/// What stands below the last row.
package enum ListEnd<ID: Hashable>: Equatable {
    /// Nothing: the list is complete, failed, or stopped after pages without new elements.
    case none
    /// A spinner that loads the next page while it is visible.
    case sentinel(Sentinel<ID>)
}

/// Identifies the sentinel at the end of a list.
///
/// SwiftUI reports only once that a view appeared. If the sentinel stays visible, because the page didn't fill the window
/// or a refresh replaced the rows, another report is needed: its identity changes when a load starts and when it ends.
package struct Sentinel<ID: Hashable>: Hashable {
    let count: Int
    let first: ID?
    let last: ID?
    let isLoading: Bool
}

extension PageLoader {
    /// What a list shows.
    package var phase: ListPhase<Item.ID> {
        if items.isEmpty { return phaseWithoutElements }
        guard hasMore, error == nil, !list.progress.isStopped else { return .rows(end: .none, notice: error) }
        let sentinel = Sentinel(
            count: items.count, first: items.first?.id, last: items.last?.id, isLoading: isLoading)
        return .rows(end: .sentinel(sentinel), notice: nil)
    }

    private var phaseWithoutElements: ListPhase<Item.ID> {
        let isLoaded = list.date != nil
        return switch state {
        case .complete: .empty(notice: nil)
        case .idle: isLoaded && list.progress.isStopped ? .empty(notice: nil) : .loading
        case .loadingMore: .loading
        case .refreshing: isLoaded ? .empty(notice: nil) : .loading
        case .failed(let error):
            isLoaded && list.loads.machine.failedLoad != .next ? .empty(notice: error) : .failure(error)
        }
    }

    /// Reports that the sentinel is visible, which loads the next page, without waiting: a sentinel that scrolls away
    /// must not cancel the request.
    package func sentinelAppeared() {
        guard let last = items.last else { return }
        itemAppeared(last)
    }
}
