// URLSession lives in the whole of Foundation, and on Linux in FoundationNetworking. This file is where both enter; the
// only other module that may import them is GodwitBackground, on Apple's systems.
@_exported public import Foundation
#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
#endif
#if canImport(Security)
// What challenges speak of.
@_exported public import Security
#endif
