// Where the SDK declares the versions of TLS that URLSession's configurations name.
public enum tls_protocol_version_t: UInt16, @unchecked Sendable {
    case TLSv10 = 0x0301
    case TLSv11 = 0x0302
    case TLSv12 = 0x0303
    case TLSv13 = 0x0304
    case DTLSv10 = 0xfeff
    case DTLSv12 = 0xfefd
}
