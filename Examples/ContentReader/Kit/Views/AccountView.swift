#if canImport(SwiftUI)
import Godwit
import GodwitUI
import SwiftUI
import UniformTypeIdentifiers

/// The user, with the upload of a picture.
struct AccountView: View {
    @State private var isChoosing = false
    private let account: AccountScreen

    init(_ account: AccountScreen) {
        self.account = account
    }

    var body: some View {
        AsyncContentView(account.user) { user in
            Form {
                Text(verbatim: user.name).font(.headline)
                if account.avatar.isRunning {
                    ProgressView(value: account.avatar.progress?.fraction)
                } else {
                    Button("Upload a picture") { isChoosing = true }
                }
                if let error = account.avatar.error { ErrorView(error) }
                Button("Sign out") { account.signingOut.start() }
            }
        }
        .fileImporter(isPresented: $isChoosing, allowedContentTypes: [.image]) { result in
            if case .success(let file) = result { upload(file) }
        }
        .navigationTitle("Account")
    }

    /// Uploads a file outside of the app's container, which can be read during this call only.
    private func upload(_ file: URL) {
        let isScoped = file.startAccessingSecurityScopedResource()
        defer { if isScoped { file.stopAccessingSecurityScopedResource() } }
        if let picture = try? Data(contentsOf: file) { account.avatar.start(.data(picture)) }
    }
}
#endif
