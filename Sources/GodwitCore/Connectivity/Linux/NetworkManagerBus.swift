#if os(Linux)
import GodwitLibc

/// Reads from NetworkManager, over the system's D-Bus, whether the network is metered.
///
/// Loads libsystemd at run time. Use it on one thread.
final class NetworkManagerBus {
    private typealias Bus = OpaquePointer
    private typealias Open = @convention(c) (UnsafeMutablePointer<Bus?>) -> Int32
    private typealias Close = @convention(c) (Bus) -> Bus?
    private typealias Number = @convention(c) (Bus) -> Int32
    private typealias Process = @convention(c) (Bus, UnsafeMutableRawPointer?) -> Int32
    private typealias SetTimeLimit = @convention(c) (Bus, UInt64) -> Int32
    private typealias Match =
        @convention(c) (
            Bus, UnsafeMutableRawPointer?, UnsafePointer<CChar>, Ignore, UnsafeMutableRawPointer?
        ) -> Int32
    private typealias Ignore =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
        ) -> Int32
    private typealias GetProperty =
        @convention(c) (
            Bus, UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>,
            UnsafeMutableRawPointer?, CChar, UnsafeMutableRawPointer
        ) -> Int32

    private static let name = "org.freedesktop.NetworkManager"
    private static let path = "/org/freedesktop/NetworkManager"
    private static let microsecondsToWait: UInt64 = 1_000_000

    private let bus: Bus
    private let close: Close
    private let process: Process
    private let getProperty: GetProperty

    /// Becomes readable after a change.
    let descriptor: Int32

    /// `nil` if libsystemd or the bus is missing.
    init?() {
        guard let library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL) else { return nil }
        func function<Function>(_ name: String, as type: Function.Type) -> Function? {
            dlsym(library, name).map { unsafeBitCast($0, to: type) }
        }
        guard let open = function("sd_bus_open_system", as: Open.self),
            let close = function("sd_bus_flush_close_unref", as: Close.self),
            let process = function("sd_bus_process", as: Process.self),
            let getDescriptor = function("sd_bus_get_fd", as: Number.self),
            let match = function("sd_bus_add_match", as: Match.self),
            let getProperty = function("sd_bus_get_property_trivial", as: GetProperty.self)
        else { return nil }
        var opened: Bus?
        guard open(&opened) >= 0, let bus = opened else { return nil }
        self.bus = bus
        self.close = close
        self.process = process
        self.getProperty = getProperty
        descriptor = getDescriptor(bus)
        if let limit = function("sd_bus_set_method_call_timeout", as: SetTimeLimit.self) {
            _ = limit(bus, Self.microsecondsToWait)
        }
        // A message only triggers another request, so its handler does nothing.
        guard descriptor >= 0, match(bus, nil, Self.changes, { _, _, _ in 0 }, nil) >= 0 else { return nil }
    }

    deinit {
        _ = close(bus)
    }

    /// Whether traffic costs by volume; `nil` if unknown. Blocks for at most one second.
    func isMetered() -> Bool? {
        let (yes, guessedYes, unsignedInteger): (UInt32, UInt32, CChar) = (1, 3, 0x75)
        var answer: UInt32 = 0
        guard getProperty(bus, Self.name, Self.path, Self.name, "Metered", nil, unsignedInteger, &answer) >= 0 else {
            return nil
        }
        return answer == 0 ? nil : answer == yes || answer == guessedYes
    }

    /// Processes one message.
    ///
    /// Call it until it returns `.nothing` before waiting for ``descriptor``, as messages can be buffered.
    func processMessage() -> Progress {
        let result = process(bus, nil)
        return result < 0 ? .disconnected : result == 0 ? .nothing : .something
    }

    enum Progress {
        case something, nothing, disconnected
    }

    private static let changes =
        "type='signal',sender='\(name)',path='\(path)',"
        + "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'"
}
#endif
