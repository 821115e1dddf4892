#if !canImport(UIKit) && !canImport(AppKit)
/// Calls when the system is short of memory. Linux has no such signal: the program decides.
final class MemoryWarnings: Sendable {
    func observe(_ act: @escaping @Sendable () -> Void) {}
}
#endif
