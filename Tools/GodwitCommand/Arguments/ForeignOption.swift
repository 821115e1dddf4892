/// What options of curl and HTTPie that godwit doesn't have are called here.
///
/// The nearest name would mislead: `-a name:password` would become the User-Agent of `-A`.
enum ForeignOption {
    /// ` (use …)`; `nil` for other options, and if the command doesn't have what the hint names.
    static func hint(for name: String, _ options: some Sequence<String>) -> String? {
        guard let hint = hints[name], Advice.applies(hint, to: options) else { return nil }
        return " (\(hint))"
    }

    private static let hints = [
        "-a": "use -u NAME:PASSWORD, or --bearer TOKEN", "--auth": "use -u NAME:PASSWORD, or --bearer TOKEN",
        "--auth-type": "use --basic, --digest or --bearer",
        "-p": "use -i for the response's head, -v for both heads",
        "--print": "use -i for the response's head, -v for both heads",
        "--headers": "use -I, or godwit head", "--body": "it is the default", "--meta": "use --timing",
        "-U": "put the name and password into the URL of --proxy",
        "--proxy-user": "put the name and password into the URL of --proxy",
        "--verify": "certificates are always checked; trust an authority with --cacert FILE",
        "--check-status": "the exit code is 22 for an HTTP error in any case",
        "--stream": "bodies are printed as they arrive",
        "--session-read-only": "use --session", "--download": "use godwit download, or -O",
        "-T": "use godwit upload, or a body of @FILE", "--upload-file": "use godwit upload, or a body of @FILE",
        "-r": "use godwit get, which prints a part", "--range": "use godwit get, which prints a part",
        "-C": "use godwit download, which resumes", "--continue-at": "use godwit download, which resumes",
        "--create-dirs": "make the folder first", "-Z": "use & of the shell", "--parallel": "use & of the shell",
        "-D": "use -i, or --har FILE", "--dump-header": "use -i, or --har FILE",
        "-K": "use ~/.config/godwit/config; see: godwit help config",
        "--config": "use ~/.config/godwit/config; see: godwit help config",
        "-V": "use --version", "--url": "write the URL without an option", "--follow": "it is the default",
        "-j": "items are sent as JSON without it", "-#": "godwit download shows the progress",
        "--progress-bar": "godwit download shows the progress",
        "-4": "use --resolve HOST:PORT:ADDRESS with an address of IPv4",
        "--ipv4": "use --resolve HOST:PORT:ADDRESS with an address of IPv4",
        "-6": "use --resolve HOST:PORT:ADDRESS with an address of IPv6",
        "--ipv6": "use --resolve HOST:PORT:ADDRESS with an address of IPv6",
        "--limit-rate": "send the body through pv, which limits the rate of a pipe",
        "--url-query": "write name==value after the URL", "--path-as-is": "the segments . and .. are always resolved",
        "--location-trusted": "credentials stay with their host; write the last URL",
        "--trace-ascii": "use -v twice, or --har FILE", "--trace": "use -v twice, or --har FILE",
        "--http3": "the command speaks HTTP/1.1 and HTTP/2; a program can use GodwitHTTP3",
        "--http3-only": "the command speaks HTTP/1.1 and HTTP/2; a program can use GodwitHTTP3",
        "--next": "use godwit run FILE", "-:": "use godwit run FILE",
    ]
}
