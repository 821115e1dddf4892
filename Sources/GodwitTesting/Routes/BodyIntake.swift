import GodwitCore

/// Takes the body of a request while it arrives, also the start of one that breaks off, and answers it.
protocol BodyIntake: Sendable {
    /// Responses with a status from 100 to 199 to send before the body is read.
    var interim: [HTTPResponseHead] { get }

    /// Takes the next piece. Returns how to end the connection instead of reading on; `nil` to read on.
    func receive(_ piece: Data) -> MockResponse.Ending?

    /// The body is complete. Returns the response.
    func respond() -> MockResponse
}
