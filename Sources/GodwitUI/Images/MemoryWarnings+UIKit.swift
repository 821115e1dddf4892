#if canImport(UIKit)
import Synchronization
import UIKit

/// Calls when the system is short of memory.
final class MemoryWarnings: Sendable {
    /// What removes the observer. It must be on hand when the loader is released.
    private let end = Mutex<(@Sendable () -> Void)?>(nil)

    deinit {
        end.withLock(\.self)?()
    }

    func observe(_ act: @escaping @Sendable () -> Void) {
        #if !os(watchOS)
        let center = NotificationCenter.default
        nonisolated(unsafe) let observer = center.addObserver(
            forName: UIApplication.didReceiveMemoryWarningNotification, object: nil, queue: nil
        ) { _ in act() }
        end.withLock { $0 = { center.removeObserver(observer) } }
        #endif
    }
}
#endif
