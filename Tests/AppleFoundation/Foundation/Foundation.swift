// What GodwitBackground uses of Apple's Foundation beyond FoundationEssentials. Nothing of it works.
@_exported public import FoundationEssentials

open class NSObject: Equatable, Hashable {
    public init() {}
    public static func == (left: NSObject, right: NSObject) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) {}
}

public protocol NSObjectProtocol: AnyObject {}
extension NSObject: NSObjectProtocol {}

public struct URLError: Error {
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
    }

    public var code: Code { Code(rawValue: 0) }
    public var downloadTaskResumeData: Data? { nil }
}

extension Error {
    public var localizedDescription: String { "" }
}

public enum QualityOfService: Int, Sendable {
    case userInteractive = 0x21
    case userInitiated = 0x19
    case utility = 0x11
    case background = 0x09
    case `default` = -1
}

open class OperationQueue: NSObject, @unchecked Sendable {
    open var name: String? {
        get { nil }
        set {}
    }
    open var qualityOfService: QualityOfService {
        get { .background }
        set {}
    }
    open var maxConcurrentOperationCount: Int {
        get { 0 }
        set {}
    }
}

public struct URLRequest: Sendable {
    public init(url: URL) {}
    public var httpMethod: String? {
        get { nil }
        set {}
    }
    public var timeoutInterval: TimeInterval {
        get { 0 }
        set {}
    }
    public var allowsExpensiveNetworkAccess: Bool {
        get { true }
        set {}
    }
    public var allowsConstrainedNetworkAccess: Bool {
        get { true }
        set {}
    }
    public var allowsCellularAccess: Bool {
        get { true }
        set {}
    }
    public var url: URL? {
        get { nil }
        set {}
    }
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {}
}

open class URLResponse: NSObject, @unchecked Sendable {}

open class HTTPURLResponse: URLResponse, @unchecked Sendable {
    open var statusCode: Int { 0 }
    open var allHeaderFields: [AnyHashable: Any] { [:] }
}

public struct URLResourceValues {
    public init() {}
    public var isExcludedFromBackup: Bool? {
        get { nil }
        set {}
    }
}

extension URL {
    public static var applicationSupportDirectory: URL { URL(filePath: "/") }
    public mutating func setResourceValues(_ values: URLResourceValues) throws {}
}
