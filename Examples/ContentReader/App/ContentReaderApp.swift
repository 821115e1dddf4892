#if canImport(SwiftUI)
import ContentReaderKit
import Godwit
import SwiftUI

/// The reader as an app, for the API of `content-api --port 8080`.
@main
struct ContentReaderApp: App {
    @State private var reader = try? Reader(
        baseURL: "http://127.0.0.1:8080/v1",
        tokens: KeychainTokenStore(service: "com.example.reader", account: "token"),
        in: .applicationSupportDirectory.appending(path: "com.example.reader"))

    var body: some Scene {
        WindowGroup {
            if let reader { ContentReaderView(reader) } else { Text("The reader can't use its folder.") }
        }
    }
}
#endif
