# Writes each block of Swift in a doc comment to a file of its own, in which it compiles.
#
#   awk -v folder=OUT -f doc-comments.awk Sources/…/*.swift
#
# Extensions and protocols stand in the file, everything else in a function. "…" is a placeholder for code that does not
# matter. Lines that begin with "$0." stand in the closure of a client. Errors name the line of the doc comment.
# Left out: what documents declarations that no user sees (package), and files that another platform's #if guards.

FNR == 1 { flush(); guarded = 0 }
/^#if / && !guarded { guarded = $0 ~ /canImport\((SwiftUI|UIKit|AppKit|Security|Network|AuthenticationServices)\)|canImport\(Darwin\)|os\((macOS|iOS)\)/ ? 1 : 2 }

/^ *\/\/\/ ```swift *$/ { inside = 1; start = FNR + 1; count = 0; next }
inside && /^ *\/\/\/ ```/ { inside = 0; keep(); next }
inside { sub(/^ *\/\/\/ ?/, ""); text[count++] = $0; next }
/^ *(\/\/|@)/ || /^ *$/ { next }
{ flush($0) }
END {
    flush()
    printf "%d examples in doc comments; left out: %d of other platforms, %d of declarations inside the package\n",
        written, foreign, hidden
}

# The block is written when it is known what it documents.
function keep(    i) {
    held++
    for (i = 0; i < count; i++) line[held, i] = text[i]
    lines[held] = count; first[held] = start; file[held] = FILENAME
}

function flush(declaration,    i) {
    for (i = 1; i <= held; i++) {
        if (guarded == 1) foreign++
        else if (declaration ~ /^ *package /) hidden++
        else write_block(i)
    }
    held = 0
}

function write_block(block,    name, i, code, scope, body, outer, previous) {
    name = sprintf("%s/Example%03d.swift", folder, ++written)
    body = outer = scope = previous = ""
    for (i = 0; i < lines[block]; i++) {
        code = line[block, i]
        gsub(/…/, "placeholder()", code)
        if (scope == "" && code ~ /^(nonisolated )?(extension|protocol|static) ?/) {
            scope = "outer"
            if (code ~ /^static/) code = "private extension Endpoint { " code " }"
            else if (code !~ /^[^{]*:/) code = "private " code
            outer = outer here(block, i)
        }
        if (scope == "outer") {
            outer = outer code "\n"
            if (code ~ /^}/ || code ~ /^[^ ].*}$/) scope = ""
            previous = "outer"
        } else {
            if (previous != "body") body = body here(block, i)
            body = body code "\n"
            previous = "body"
        }
    }
    printf "import Foundation\nimport Godwit\nimport GodwitBackground\nimport GodwitGraphQL\nimport GodwitOAuth\n" > name
    printf "import GodwitSigning\nimport GodwitTesting\nimport GodwitUI\nimport GodwitURLSession\nimport GodwitURLSessionTesting\nimport Prelude\nimport Synchronization\nimport Testing\n" > name
    printf "%s%s", owner(file[block]), outer > name
    if (body != "") printf "%s\n", in_function(file[block], body) > name
    close(name)
}

function in_function(path, body) {
    if (body ~ /(^|\n)\$0\./) body = (body ~ /(^|[^a-z])try / ? "try " : "") "configuring {\n" body "}\n"
    return (path ~ /GodwitUI|ContentReader/ ? "@MainActor " : "") \
        "private func example() async throws {\n" body "}"
}

# The import of what only its own comments speak of.
function owner(path) {
    if (path ~ /^Tools\/GodwitCommand/) return "import GodwitCommand\n"
    if (path ~ /^Sources\/GodwitHTTP3/) return "import GodwitHTTP3\n"
    if (path ~ /^Satellites\/GodwitFleet/) return "import GodwitFleet\n"
    if (path ~ /^Satellites\/GodwitTelemetry/) return "import GodwitTelemetry\n"
    if (path ~ /^Tools\/GodwitGenerator/) return "import GodwitGenerator\n"
    if (path ~ /^Tools\/GodwitInspector/) return "import GodwitInspector\n"
    if (path ~ /^Examples\/ContentAPI/) return "import ContentAPIServer\n"
    if (path ~ /^Examples/) return "import ContentAPIServer\nimport ContentReaderKit\n"
    return ""
}

function here(block, i) { return sprintf("#sourceLocation(file: \"%s\", line: %d)\n", file[block], first[block] + i) }
