// background-client add DIRECTORY PROGRAM SESSION URL FOLDER
// background-client raw USER SOCKET
// background-client listen USER SOCKET
//
// Hands a download over and waits to be killed; or, as another user, says something to a socket and prints how much was
// answered, or listens in the place of the transferring process and prints how much it is told.

#if canImport(Glibc)
import Glibc
import Godwit
import GodwitBackground

func say(_ text: String) {
    print(text)
    fflush(nil)
}

/// Hands a download over, and gets no further: the test kills it.
func add(_ arguments: [String]) async throws {
    let session = BackgroundSession(identifier: arguments[2]) {
        $0.directory = URL(filePath: arguments[0])
        $0.program = URL(filePath: arguments[1])
    }
    let request = HTTPRequest(url: try HTTPURL(arguments[3]))
    try await session.download(request, to: URL(filePath: arguments[4], directoryHint: .isDirectory))
    say("added")
    try await Task.sleep(for: .seconds(3600))
}

/// Calls `connect` or `bind` for a path, as another user; the socket.
func makeSocket(_ user: uid_t, _ path: String, _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32? {
    setuid(user)
    let descriptor = socket(AF_UNIX, 1, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let code = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
    return code == 0 ? descriptor : nil
}

/// Waits for a program, and returns how many bytes it says before it leaves.
func wait(_ user: uid_t, _ path: String) -> Int {
    guard let descriptor = makeSocket(user, path, bind), listen(descriptor, 1) == 0 else { return -1 }
    say("listening")
    let peer = accept(descriptor, nil, nil)
    var text = [UInt8](repeating: 0, count: 4096)
    return max(0, recv(peer, &text, text.count, 0))
}

/// Says one line to a socket as another user, and returns how many bytes come back before the other side closes.
func talk(_ user: uid_t, _ path: String) -> Int {
    guard let descriptor = makeSocket(user, path, connect) else { return -1 }
    let line = Array(#"{"version":1,"command":"list","session":"test","after":0}"#.utf8) + [0x0A]
    _ = send(descriptor, line, line.count, Int32(MSG_NOSIGNAL))
    var answer = [UInt8](repeating: 0, count: 4096)
    return max(0, recv(descriptor, &answer, answer.count, 0))
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "add" where arguments.count == 6: try await add(Array(arguments.dropFirst()))
case "raw" where arguments.count == 3: say("\(talk(uid_t(arguments[1]) ?? 65_534, arguments[2]))")
case "listen" where arguments.count == 3: say("\(wait(uid_t(arguments[1]) ?? 65_534, arguments[2]))")
default: exit(2)
}
#endif
