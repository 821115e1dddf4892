// What Godwit uses of Apple's AuthenticationServices, declared so that its callers can be type-checked elsewhere. Nothing
// of it works.
public import FoundationEssentials

/// Of Objective-C, which the frameworks above bring along.
open class NSObject {
    public init() {}
}

public protocol NSObjectProtocol: AnyObject {}

extension NSObject: NSObjectProtocol {}

/// A window, of UIKit or AppKit.
@MainActor
public final class ASPresentationAnchor: NSObject {}

@MainActor
public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

open class ASWebAuthenticationSession: NSObject {
    public typealias CompletionHandler = (URL?, (any Error)?) -> Void

    open class Callback: NSObject {
        override private init() {}

        public static func customScheme(_ customScheme: String) -> Callback { Callback() }
        public static func https(host: String, path: String) -> Callback { Callback() }
    }

    public init(url URL: URL, callback: Callback, completionHandler: @escaping CompletionHandler) {}

    open weak var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?

    open var prefersEphemeralWebBrowserSession: Bool {
        get { false }
        set {}
    }

    @discardableResult open func start() -> Bool { false }
    open func cancel() {}
}

public struct ASWebAuthenticationSessionError: Error {
    public enum Code: Int, Sendable {
        case canceledLogin = 1
        case presentationContextNotProvided = 2
        case presentationContextInvalid = 3
    }

    public var code: Code { .canceledLogin }

    public static var canceledLogin: Code { .canceledLogin }
}
