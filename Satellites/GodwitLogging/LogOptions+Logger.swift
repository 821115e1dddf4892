#if Logging
public import GodwitCore
public import Logging

extension LogOptions {
    /// Creates options that write Godwit's own log, with header fields or bodies, to a logger of swift-log.
    ///
    /// ```swift
    /// $0.logging = LogOptions(to: logger, level: .headers)
    /// ```
    ///
    /// Each message is a text without secrets. For one message a call, with metadata, see ``LoggerMiddleware``.
    ///
    /// - Parameters:
    ///   - logger: Receives the messages.
    ///   - level: How much is logged.
    ///   - loggerLevel: The level of the messages.
    public init(to logger: Logger, level: LogLevel, at loggerLevel: Logger.Level = .debug) {
        // A logger that drops the messages costs nothing.
        self.init(level: logger.logLevel <= loggerLevel ? level : .off)
        destination = { logger.log(level: loggerLevel, "\($0)") }
    }
}
#endif
