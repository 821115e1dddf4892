// URLSession is in Foundation, on Linux in FoundationNetworking. Only this file and GodwitBackground (on Apple
// platforms) may import them.
@_exported public import Foundation
#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
#endif
#if canImport(Security)
// Authentication challenges contain Security types.
@_exported public import Security
#endif
