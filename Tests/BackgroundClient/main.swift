// background-client DIRECTORY SESSION PROGRAM download URL FOLDER [COUNT]
// background-client DIRECTORY SESSION PROGRAM events COUNT
// background-client DIRECTORY SESSION PROGRAM note FILE
//
// Hands downloads over and waits to be killed; prints events and acknowledges them; writes that it was started.

import Godwit
#if canImport(Glibc)
import Glibc
#endif

func say(_ text: String) {
    print(text)
    fflush(nil)
}

let arguments = CommandLine.arguments
guard arguments.count >= 6 else { exit(2) }
let session = BackgroundSession(identifier: arguments[2]) {
    $0.directory = URL(filePath: arguments[1])
    $0.program = URL(filePath: arguments[3])
}
switch arguments[4] {
case "download":
    let count = arguments.count > 7 ? Int(arguments[7]) ?? 1 : 1
    for number in 0..<count {
        let request = HTTPRequest(url: try HTTPURL(count == 1 ? arguments[5] : "\(arguments[5])\(number)"))
        let folder = URL(filePath: arguments[6], directoryHint: .isDirectory)
        try await session.download(request, to: folder)
        say("added")
    }
    // It gets no further: the test kills it.
    try await Task.sleep(for: .seconds(3600))
case "events":
    var rest = Int(arguments[5]) ?? 1
    for try await event in session.events {
        say("\(event.id) \(event.job)")
        try await session.acknowledge(event)
        rest -= 1
        if rest == 0 { break }
    }
    try await session.finish()
default:
    exit(2)
}
