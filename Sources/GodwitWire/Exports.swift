// Chooses between FoundationEssentials on Linux and Foundation on Apple platforms. Other modules import GodwitWire and
// get Data, Date and URL without conditional imports.
#if canImport(FoundationEssentials) && !canImport(Darwin)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
