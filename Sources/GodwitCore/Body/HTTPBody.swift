public struct HTTPBody: Sendable {
  public static let empty = HTTPBody()
}
