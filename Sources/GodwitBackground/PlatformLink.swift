import GodwitCore

/// Makes the link for this platform.
enum PlatformLink {
    #if canImport(Darwin)
    static func make(
        _ session: String, _ configuration: BackgroundConfiguration, _ diagnostics: Diagnostics
    ) -> any TransferLink {
        SystemLink(session) { () throws(NetworkError) in
            try SystemRegistry.shared.transfers(of: session, configuration)
        }
    }
    #elseif os(Linux)
    static func make(
        _ session: String, _ configuration: BackgroundConfiguration, _ diagnostics: Diagnostics
    ) -> any TransferLink {
        DaemonLink(session, configuration, diagnostics: diagnostics)
    }
    #endif
}
