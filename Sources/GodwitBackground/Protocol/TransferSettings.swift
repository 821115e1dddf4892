/// What holds for all jobs of a session.
package struct TransferSettings: Sendable, Hashable, Codable {
    package var relaunch: [String]

    package init(relaunch: [String] = []) {
        self.relaunch = relaunch
    }
}
