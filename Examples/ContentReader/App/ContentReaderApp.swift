#if canImport(SwiftUI)
import ContentReaderKit
import Godwit
import GodwitUI
import SwiftUI

/// The reader as an app, for the API of `content-api --port 8080`.
@main
struct ContentReaderApp: App {
    private struct Models {
        let reader: Reader
        let pictures: ImageLoader<Image>
    }

    @State private var models = Self.models()

    var body: some Scene {
        WindowGroup {
            if let models {
                ContentReaderView(models.reader, models.pictures)
            } else {
                Text("The reader can't use its folder.")
            }
        }
    }

    private static func models() -> Models? {
        let folders = Reader.Folders(
            // The system may remove what can be loaded again, but not what the user wrote.
            caches: .cachesDirectory.appending(path: "com.example.reader"),
            changes: .applicationSupportDirectory.appending(path: "com.example.reader/outbox"))
        let reader = try? Reader(
            baseURL: "http://127.0.0.1:8080/v1",
            tokens: KeychainTokenStore(service: "com.example.reader", account: "token"), in: folders)
        return reader.map { Models(reader: $0, pictures: ImageLoader($0.queries.api)) }
    }
}
#endif
