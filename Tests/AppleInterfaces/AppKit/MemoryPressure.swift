// Of Dispatch on Apple's systems, which Linux's lacks. It stands here, because there is a Dispatch on Linux already.
public import Dispatch
@_exported import Foundation

public protocol DispatchSourceMemoryPressure: DispatchSourceProtocol {}

extension DispatchSource {
    public struct MemoryPressureEvent: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let warning = MemoryPressureEvent(rawValue: 2)
        public static let critical = MemoryPressureEvent(rawValue: 4)
    }

    public class func makeMemoryPressureSource(
        eventMask: MemoryPressureEvent, queue: DispatchQueue? = nil
    ) -> any DispatchSourceMemoryPressure { while true {} }
}
