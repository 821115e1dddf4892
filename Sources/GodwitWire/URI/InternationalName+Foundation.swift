#if !canImport(CIDN2)
/// Domain names with characters outside ASCII.
enum InternationalName {
    /// The name as DNS has it, by Foundation's rules (UTS 46, non-transitional processing); `nil` if it isn't a domain name.
    static func ascii(_ name: String) -> String? {
        guard let host = URL(string: "https://\(name)/")?.host(percentEncoded: true) else { return nil }
        return host.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "%") } ? host : nil
    }
}
#endif
