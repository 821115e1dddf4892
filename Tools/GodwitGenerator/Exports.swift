// Chooses between FoundationEssentials on Linux and Foundation on Apple platforms, as GodwitWire does: this module is
// usable without it.
#if canImport(FoundationEssentials) && !canImport(Darwin)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
