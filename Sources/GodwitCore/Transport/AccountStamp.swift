/// The generation of an account session that a call was started in.
///
/// See ``AccountSession``, which gives it out and knows whether it is still the current one.
package struct AccountStamp: Sendable, Hashable {
    /// Which session it is from: generations of different sessions say nothing of each other.
    let session: ObjectIdentifier
    let generation: UInt64
}
