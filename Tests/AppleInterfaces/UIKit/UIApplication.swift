@_exported import Foundation

@MainActor open class UIApplication: NSObject {
    nonisolated public static let didReceiveMemoryWarningNotification = NSNotification.Name("")
}
