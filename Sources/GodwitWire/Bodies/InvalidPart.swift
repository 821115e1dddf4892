/// Why a part cannot stand in a multipart body.
package struct InvalidPart: Error, Sendable, Hashable {
    /// What is wrong, in words a developer can act on.
    package let reason: String

    /// Makes the error.
    ///
    /// - Parameter reason: What is wrong with the part.
    package init(_ reason: String) {
        self.reason = reason
    }
}

extension InvalidPart: CustomStringConvertible {
    package var description: String { "invalid part: \(reason)" }
}
