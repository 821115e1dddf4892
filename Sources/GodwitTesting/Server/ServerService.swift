/// What the connections of a server share.
struct ServerService: Sendable {
    let table: RouteTable
    let options: MockServer.Options
    let recorder: RequestRecorder
}
