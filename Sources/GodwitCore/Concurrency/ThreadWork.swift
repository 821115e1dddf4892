/// What a thread is to do, in the form in which it passes through C.
final class ThreadWork: Sendable {
    static let stackSize = 256 << 10

    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
    }

    /// Does the work that the pointer retains, and releases it: the start routine of a thread.
    static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let pointer { Unmanaged<ThreadWork>.fromOpaque(pointer).takeRetainedValue().work() }
        return nil
    }
}
