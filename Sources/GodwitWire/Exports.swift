// The one place that chooses between the small Foundation of Linux and the whole one of Apple's platforms. Everything
// above imports GodwitWire and sees Data, Date and URL, without a conditional import in every file.
#if canImport(FoundationEssentials) && !canImport(Darwin)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
