// What Godwit uses of Apple's Network, declared so that its callers can be type-checked elsewhere. Nothing of it works.
public import Dispatch

public final class NWPathMonitor: Sendable {
    public init() {}

    public var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)? {
        get { nil }
        set {}
    }

    public var currentPath: NWPath { NWPath() }

    public func start(queue: DispatchQueue) {}
    public func cancel() {}
}

public struct NWPath: Equatable, Sendable {
    public enum Status: Sendable {
        case satisfied, unsatisfied, requiresConnection
    }

    public var status: Status { .unsatisfied }
    public var availableInterfaces: [NWInterface] { [] }
    public var isExpensive: Bool { false }
    public var isConstrained: Bool { false }
}

public struct NWInterface: Hashable, Sendable {
    public enum InterfaceType: Sendable {
        case other, wifi, cellular, wiredEthernet, loopback
    }

    public var type: InterfaceType { .other }
}
