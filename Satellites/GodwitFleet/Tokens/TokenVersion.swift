#if os(Linux)
import GodwitCore

/// A token with the number of the write that stored it. A later write has a greater number.
struct TokenVersion: Sendable, Hashable {
    /// `nil` if no user is signed in.
    var token: AccessToken?
    /// The number of the write; 0 if Redis never had this.
    var number: Int64
    /// The number of the sign-in or sign-out that this account began with.
    var account: Int64
}

/// What Redis has for a token.
enum TokenContent: Sendable, Hashable {
    /// Nothing: no user has signed in, or Redis has lost its data.
    case missing
    case version(TokenVersion)
    /// Encrypted with a key that this process doesn't have; with its numbers.
    case unreadable(TokenVersion)
}

/// The token of this process. Decides whether this one or that of Redis counts. It has no I/O.
struct HeldToken: Sendable, Hashable {
    /// A change that Redis doesn't have yet.
    enum Unsaved: Sendable, Hashable {
        /// A refresh of the version with this number.
        case refresh
        /// A sign-in or sign-out. With the account that it replaced, if known.
        case account(replacing: Int64?)
    }

    enum Decision: Sendable, Hashable {
        /// Redis has the same, or nothing is known.
        case same
        /// Another process has refreshed the token.
        case newer(TokenVersion)
        /// Another process has signed in or out.
        case otherAccount(TokenVersion)
        /// Redis has lost the last write: write it again with its own numbers.
        case restore
        /// Write the refreshed token.
        case saveRefresh
        /// Write the sign-in or sign-out, if the account is still the one that it replaced.
        case saveAccount(replacing: Int64?)
        /// Redis has a newer token that this process can't decrypt.
        case unreadable
    }

    var version: TokenVersion
    var unsaved: Unsaved?

    func decision(_ stored: TokenContent) -> Decision {
        switch stored {
        case .missing: ifMissing
        case .version(let stored): decision(stored, isReadable: true)
        case .unreadable(let stored): decision(stored, isReadable: false)
        }
    }

    private var ifMissing: Decision {
        switch unsaved {
        case .account: .saveAccount(replacing: nil)
        case .refresh: .saveRefresh
        case nil: restoring
        }
    }

    private func decision(_ stored: TokenVersion, isReadable: Bool) -> Decision {
        if case .account(let replaced) = unsaved, replaced.map({ stored.account <= $0 }) ?? true {
            return .saveAccount(replacing: replaced)
        }
        if stored.account > version.account { return isReadable ? .otherAccount(stored) : .unreadable }
        if stored.account == version.account, stored.number > version.number {
            guard isReadable else { return .unreadable }
            // Without a token here, the session has ended although a newer token exists.
            return stored.token == nil || version.token == nil ? .otherAccount(stored) : .newer(stored)
        }
        if unsaved == .refresh { return .saveRefresh }
        return stored.number == version.number ? .same : restoring
    }

    /// A session that ended only here, because a server refused the token, says nothing to the others.
    private var restoring: Decision {
        let isKnown = version.number > 0 && (version.token != nil || version.account == version.number)
        return isKnown ? .restore : .same
    }
}
#endif
