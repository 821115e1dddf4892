#if canImport(SwiftUI)
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
            if let message = account.message { Text(verbatim: message) }
            Button("Sign in") { account.signIn() }.disabled(account.signingIn.isRunning)
        }
    }
}
#endif
