#if os(Linux)
import GodwitSockets

/// Runs work on the thread of a transport's event loop.
func onLoop<Value: Sendable>(
    _ transport: SocketTransport, _ work: @Sendable () throws -> Value
) async rethrows -> Value {
    try await withTaskExecutorPreference(transport.taskExecutor) { try work() }
}
#endif
