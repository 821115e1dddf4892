public import Foundation
public import FoundationNetworking

@MainActor
open class WKHTTPCookieStore: NSObject {
    open func allCookies() async -> [HTTPCookie] { fatalError() }
    open func setCookie(_ cookie: HTTPCookie) async { fatalError() }
}
