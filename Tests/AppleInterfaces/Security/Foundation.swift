// What Apple's Foundation has of URLSession beyond that of Linux, where Godwit uses it. It stands here, and not in a folder
// of its own, as on Linux there is a Foundation already; GodwitURLSession exports both modules to all of its files.
public import Dispatch
public import Foundation
public import FoundationNetworking

public let NSURLAuthenticationMethodServerTrust = ""
public let NSURLAuthenticationMethodClientCertificate = ""

public enum tls_protocol_version_t: UInt16 {
    case TLSv12 = 0x0303
    case TLSv13 = 0x0304
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

// Core Foundation's `CFWriteStream`, which is bridged there.
public func CFWriteStreamSetDispatchQueue(_ stream: OutputStream!, _ q: DispatchQueue!) {}

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
