// What a client keeps for its account.
extension AccountPart {
    init(_ jar: CookieJar) {
        self.init(.cookies, ObjectIdentifier(jar)) {
            jar.clear()
            do throws(NetworkError) {
                try jar.save()
                return nil
            } catch {
                return error
            }
        }
    }

    init(_ store: any CacheStore) {
        self.init(.other, Self.identity(of: store)) {
            await store.removeAll()
            return nil
        }
    }

    init(_ store: any ModelStore) {
        self.init(.other, Self.identity(of: store)) {
            await store.removeAll()
            return nil
        }
    }

    init(_ spaces: ProtectionSpaces) {
        self.init(.other, ObjectIdentifier(spaces)) {
            spaces.forgetAll()
            return nil
        }
    }
}
