/// What ends a line.
package enum LineStyle: Sendable, Hashable {
    /// LF, CRLF and CR each end a line; empty lines count. Plain text and event streams.
    case text

    /// LF ends a line, with or without CR before it; lines of nothing but blanks are passed over. NDJSON.
    case jsonLines
}
