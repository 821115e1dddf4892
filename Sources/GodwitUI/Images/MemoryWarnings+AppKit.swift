#if canImport(AppKit) && !canImport(UIKit)
import AppKit
import Dispatch
import Synchronization

/// Calls when the system is short of memory.
final class MemoryWarnings: Sendable {
    private let end = Mutex<(@Sendable () -> Void)?>(nil)

    deinit {
        end.withLock(\.self)?()
    }

    func observe(_ act: @escaping @Sendable () -> Void) {
        nonisolated(unsafe) let pressure = DispatchSource.makeMemoryPressureSource(
            eventMask: [.warning, .critical], queue: .global())
        pressure.setEventHandler(handler: DispatchWorkItem(block: act))
        pressure.activate()
        end.withLock { $0 = { pressure.cancel() } }
    }
}
#endif
