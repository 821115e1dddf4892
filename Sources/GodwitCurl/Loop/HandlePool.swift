#if os(Linux)
import CGodwitCurl
import GodwitCore
import GodwitSockets

/// The handles of an engine, of which idle ones are reused.
struct HandlePool {
    private let resources: ExchangeResources
    private var idle: [EasyHandle] = []
    /// How many handles were made.
    private var count = 0

    /// After these a handle may be at fault itself, and is not used again.
    private static let codesOfBadHandles = [
        CURLE_FAILED_INIT, CURLE_OUT_OF_MEMORY, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_UNKNOWN_OPTION, CURLE_NOT_BUILT_IN,
    ]

    init(_ resources: ExchangeResources) {
        self.resources = resources
    }

    /// A handle for an exchange; nil if memory ran out.
    mutating func take(for exchange: Exchange, of engine: Engine) -> EasyHandle? {
        // One that leaves HTTP keeps its handle.
        let handle = exchange.isUpgrade ? make(for: engine) : idle.popLast() ?? make(for: engine)
        if exchange.options.onHeadSent != nil { handle?.setDebugCallback() }
        if exchange.sendsTrailers { handle?.setTrailerCallback() }
        return handle
    }

    private mutating func make(for engine: Engine) -> EasyHandle? {
        count += 1
        let handle = EasyHandle(resources, number: count, engine: Unmanaged.passUnretained(engine).toOpaque())
        handle?.setCallbacks()
        return handle
    }

    /// An exchange is over.
    mutating func recycle(_ handle: EasyHandle, after outcome: CURLcode?) {
        let isSound = outcome.map { !Self.codesOfBadHandles.contains($0) } ?? true
        let isKept = isSound && !handle.isUsedUp && idle.count < resources.configuration.maximumIdleHandles
        guard isKept, handle.holdLastHeader(after: outcome) else { return handle.free() }
        idle.append(handle)
    }

    mutating func free() {
        for handle in idle { handle.free() }
        idle = []
    }
}
#endif
