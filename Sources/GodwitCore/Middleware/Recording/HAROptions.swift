/// What a ``HARRecorder`` keeps.
///
/// ```swift
/// var options = HAROptions()
/// options.bodyLimit = 64 << 10
/// let recorder = HARRecorder(file: file, options: options)
/// ```
public struct HAROptions: Sendable {
    /// The most entries kept; 1000 by default. The oldest goes first.
    public var entryLimit = 1000

    /// The most bytes kept of each body that is in memory; 0, the default, keeps sizes alone.
    ///
    /// Streamed bodies and files are never read. Secrets in JSON and forms are left out as from a log; other content
    /// is kept as it is.
    public var bodyLimit = 0

    /// Fields whose values are not kept, beside those that look like secrets.
    public var redactedFields: Set<HTTPField.Name> = []

    /// Names of query items, form items and JSON members whose values are not kept, beside those that look like
    /// secrets. Compared without case.
    public var redactedNames: Set<String> = []

    /// Tells when an exchange began.
    public var now: @Sendable () -> Date = { Date() }

    /// What measures how long an exchange took where its transport does not say.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Makes the defaults.
    public init() {}
}
