#if canImport(SwiftUI)
import Godwit
import GodwitUI
import SwiftUI
import UniformTypeIdentifiers

/// The user, with the upload of a picture, and the sign-out.
struct AccountView: View {
    @State private var isChoosing = false
    @State private var isAsking = false
    @State private var copyError: NetworkError?
    private let reader: Reader

    init(_ reader: Reader) {
        self.reader = reader
    }

    private var account: AccountScreen { reader.account }

    var body: some View {
        AsyncContentView(account.user) { user in
            Form {
                Text(verbatim: user.name).font(.headline)
                picture
                if account.signingOut.isRunning {
                    ProgressView()
                } else {
                    Button("Sign out") { signOut() }
                }
                if let error = account.signingOut.error { ErrorView(error) }
            }
        }
        .fileImporter(isPresented: $isChoosing, allowedContentTypes: [.image]) { result in
            if case .success(let file) = result { Task { await upload(file) } }
        }
        .confirmationDialog("Sign out, and lose the changes that wait?", isPresented: $isAsking) {
            Button("Sign out") { account.signingOut.start() }
        }
        .navigationTitle("Account")
    }

    @ViewBuilder private var picture: some View {
        if account.avatar?.isRunning == true {
            ProgressView(value: account.avatar?.progress?.fraction)
        } else {
            Button("Upload a picture") { isChoosing = true }
        }
        if let error = copyError ?? account.avatar?.error { ErrorView(error) }
    }

    private func signOut() {
        if reader.changes.isEmpty { account.signingOut.start() } else { isAsking = true }
    }

    /// Uploads a copy of a file outside of the app's container, which can be read during this call only.
    private func upload(_ file: URL) async {
        copyError = nil
        do throws(NetworkError) {
            account.avatar?.start(.data(try await PickedFile.data(file)))
        } catch {
            copyError = error
        }
    }
}

/// A file that the user picked.
nonisolated private enum PickedFile {
    /// Reads it off the main thread.
    @concurrent static func data(_ file: URL) async throws(NetworkError) -> Data {
        let isScoped = file.startAccessingSecurityScopedResource()
        defer { if isScoped { file.stopAccessingSecurityScopedResource() } }
        do {
            return try Data(contentsOf: file)
        } catch {
            throw NetworkError(.file(reason: "can't read the picture"), phase: .building, underlying: error)
        }
    }
}
#endif
