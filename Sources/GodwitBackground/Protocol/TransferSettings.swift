/// What holds for all jobs of a session.
package struct TransferSettings: Sendable, Hashable, Codable {
    package var relaunch: [String]
    package var plaintextHosts: [String]

    package init(relaunch: [String] = [], plaintextHosts: [String] = []) {
        self.relaunch = relaunch
        self.plaintextHosts = plaintextHosts
    }
}
