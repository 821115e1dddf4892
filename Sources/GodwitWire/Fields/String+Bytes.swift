extension String {
    /// Calls a function with the string's UTF-8 where it lies.
    ///
    /// `withUTF8` wants a variable, for which the string would be copied.
    @inlinable
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return copy.withUTF8(body)
    }
}
