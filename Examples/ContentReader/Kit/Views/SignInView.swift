#if canImport(SwiftUI)
import Godwit
import GodwitUI
import SwiftUI

/// The form of the sign-in.
struct SignInView: View {
    @Bindable private var account: AccountScreen

    init(_ account: AccountScreen) {
        _account = Bindable(wrappedValue: account)
    }

    var body: some View {
        Form {
            TextField("Name", text: $account.login.name)
            SecureField("Password", text: $account.login.password)
            if account.ending != nil { Text("Your session has ended. Sign in again.") }
            ForEach(account.faults, id: \.field) {
                Text(verbatim: "\($0.field): \($0.messages.joined(separator: ", "))")
            }
            if account.faults.isEmpty, let error = account.signingIn.error { ErrorView(error) }
            Button("Sign in") { account.signIn() }.disabled(account.signingIn.isRunning)
        }
    }
}
#endif
