import Godwit

/// The folder of the user's settings: `$XDG_CONFIG_HOME/godwit`, or `~/.config/godwit`.
enum SettingsFolder {
    /// `nil` if the environment names neither folder.
    static func path(_ environment: EnvironmentVariables) -> String? {
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return folder + "/godwit" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.config/godwit"
    }
}
