/// Why a redirect cannot be followed.
package enum RedirectFault: Error, Sendable, Hashable {
    /// The response has no `Location`.
    case missingLocation
    /// The response has several `Location` fields with different values.
    case contradictoryLocations
    /// `Location` is no URL that can be requested; the reason.
    case invalidLocation(String)
    /// The redirect leads from https to http.
    case downgrade(to: HTTPURL)
}
