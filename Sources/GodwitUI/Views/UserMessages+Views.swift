public import GodwitCore

extension UserMessages.Key {
    /// The text of the banner that is shown without a network.
    public static let bannerOffline = Self("bannerOffline", english: "You are offline", german: "Sie sind offline")
    /// The accessibility label of a spinner.
    public static let loading = Self("loading", english: "Loading", german: "Wird geladen")
    /// The text for a list without elements.
    public static let nothingHere = Self("nothingHere", english: "Nothing here yet", german: "Noch nichts vorhanden")
    /// The accessibility label of an image that couldn't be loaded.
    public static let imageFailed = Self(
        "imageFailed", english: "The image could not be loaded", german: "Das Bild konnte nicht geladen werden")
}
