public import GodwitCore

extension UserMessages.Key {
    /// The banner of a program that is offline.
    public static let bannerOffline = Self("bannerOffline", english: "You are offline", german: "Sie sind offline")
    /// A spinner.
    public static let loading = Self("loading", english: "Loading", german: "Wird geladen")
    /// A list without elements.
    public static let nothingHere = Self("nothingHere", english: "Nothing here yet", german: "Noch nichts vorhanden")
    /// An image that failed.
    public static let imageFailed = Self(
        "imageFailed", english: "The image could not be loaded", german: "Das Bild konnte nicht geladen werden")
}
