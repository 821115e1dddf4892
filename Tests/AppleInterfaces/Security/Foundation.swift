// What Apple's Foundation has of URLSession beyond that of Linux, where Godwit uses it. It stands here, and not in a folder
// of its own, as on Linux there is a Foundation already; GodwitURLSession exports both modules to all of its files.
public import Dispatch
public import Foundation
public import FoundationNetworking

public let NSURLAuthenticationMethodServerTrust = ""
public let NSURLAuthenticationMethodClientCertificate = ""

public enum tls_protocol_version_t: UInt16, @unchecked Sendable {
    case TLSv10 = 0x0301
    case TLSv11 = 0x0302
    case TLSv12 = 0x0303
    case TLSv13 = 0x0304
    case DTLSv10 = 0xfeff
    case DTLSv12 = 0xfefd
}

extension URLSessionConfiguration {
    public var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
        get { .TLSv12 }
        set {}
    }
}

extension URLRequest {
    public var allowsExpensiveNetworkAccess: Bool {
        get { true }
        set {}
    }

    public var allowsConstrainedNetworkAccess: Bool {
        get { true }
        set {}
    }
}

extension Stream {
    public class func getBoundStreams(
        withBufferSize bufferSize: Int, inputStream: UnsafeMutablePointer<InputStream?>?,
        outputStream: UnsafeMutablePointer<OutputStream?>?
    ) {}
}

/// On Apple platforms a class of its own, which `OutputStream` is cast to with `as`. The alias accepts the cast, and also a
/// call without it: write it.
public typealias CFWriteStream = OutputStream

public func CFWriteStreamSetDispatchQueue(_ stream: CFWriteStream!, _ q: DispatchQueue!) {}

public final class CFRunLoop {
    fileprivate init() {}
}

public struct CFRunLoopMode: RawRepresentable, Hashable, Sendable {
    public var rawValue: CFString
    public init(rawValue: CFString) { self.rawValue = rawValue }
    public static let defaultMode = CFRunLoopMode(rawValue: "")
    public static let commonModes = CFRunLoopMode(rawValue: "")
}

public func CFRunLoopGetCurrent() -> CFRunLoop! { CFRunLoop() }
public func CFRunLoopCopyCurrentMode(_ rl: CFRunLoop!) -> CFRunLoopMode! { nil }
public func CFRunLoopWakeUp(_ rl: CFRunLoop!) {}
// The mode is a `CFTypeRef!` there, which a `CFString` is.
public func CFRunLoopPerformBlock(_ rl: CFRunLoop!, _ mode: Any!, _ block: (() -> Void)!) {}

extension URLProtectionSpace {
    public var serverTrust: SecTrust? { nil }
}

extension URLCredential {
    public convenience init(trust: SecTrust) { self.init(user: "", password: "", persistence: .none) }

    public convenience init(identity: SecIdentity, certificates certArray: [Any]?, persistence: Persistence) {
        self.init(user: "", password: "", persistence: persistence)
    }
}

extension URLError {
    public enum NetworkUnavailableReason: Int, Sendable {
        case cellular, expensive, constrained
    }

    public var networkUnavailableReason: NetworkUnavailableReason? { nil }
}
