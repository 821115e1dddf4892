// What Apple's Foundation has of URLSession beyond that of Linux, where Godwit uses it. It stands here, and not in a folder
// of its own, as on Linux there is a Foundation already; GodwitURLSession exports both modules to all of its files.
public import Foundation
public import FoundationNetworking

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
