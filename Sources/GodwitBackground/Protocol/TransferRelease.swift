/// The number of a `godwit-transferd`, by which the newer of two is known.
///
/// Raised whenever a newer one should take over from one that runs: with each change of what it does. A process that
/// tells none is of release 1.
package enum TransferRelease {
    /// The one that this build has.
    package static let current = 2
}
