public import GodwitCore

// Types that tests extend with answers of their own.
extension JSONValue: NonisolatedExtensions {}
extension MockRequest: NonisolatedExtensions {}
extension MockResponse: NonisolatedExtensions {}
