#!/usr/bin/env python3
"""Opens an HTTP archive in the developer tools of Chromium, and prints what their network log then has, as JSON.

    network_log.py CHROMIUM ARCHIVE

The tools' page is opened by itself in a browser without a window, and the archive goes through the importer that
"Import HAR file" of the network tab calls. An archive that they refuse ends this with what they say.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

TOOLS = "devtools://devtools/bundled/devtools_app.html"
ARE_READY = "import('./core/common/common.js').then(common => common.Settings.Settings.hasInstance()).catch(() => false)"
IMPORT = """(async text => {
    const [har, logs] = await Promise.all([import('./models/har/har.js'), import('./models/logs/logs.js')]);
    const archive = new har.HARFormat.HARRoot(JSON.parse(text));
    const log = logs.NetworkLog.NetworkLog.instance();
    log.importRequests(har.Importer.Importer.requestsFromHARLog(archive.log));
    return Promise.all(log.requests().map(async request => {
        const content = await request.requestContentData();
        return {
            method: request.requestMethod, url: request.url(), status: request.statusCode, version: request.protocol,
            type: request.mimeType ?? '', size: request.resourceSize, milliseconds: request.duration * 1000,
            sent: await request.requestFormData() ?? '',
            content: content.error ? '' : content.isTextContent ? content.text : content.base64,
            fields: request.responseHeaders.map(field => field.name)
        };
    }));
})"""


class Browser:
    """Chromium without a window, spoken to over two pipes: one JSON text and a NUL each way."""

    def __init__(self, program, folder):
        theirs, ours = os.pipe()
        answers, back = os.pipe()

        def wire():
            # The numbers that it expects, by way of some that nobody has.
            for source, number in ((theirs, 103), (back, 104), (103, 3), (104, 4)):
                os.dup2(source, number)

        # Without its sandbox, which does not go with being root; it opens nothing but its own pages.
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe",
             f"--user-data-dir={folder}", "about:blank"],
            preexec_fn=wire, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs)
        os.close(back)
        self.commands = os.fdopen(ours, "wb", 0)
        self.answers = os.fdopen(answers, "rb", 0)
        self.number = 0
        self.unread = b""

    def ask(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self.commands.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self.next_message()
            if answer.get("id") != self.number:
                continue
            if "error" in answer:
                sys.exit(f"{method}: {answer['error']['message']}")
            return answer["result"]

    def next_message(self):
        while b"\0" not in self.unread:
            piece = self.answers.read(1 << 16)
            if not piece:
                sys.exit("the browser ended")
            self.unread += piece
        message, _, self.unread = self.unread.partition(b"\0")
        return json.loads(message)

    def evaluate(self, session, expression):
        answer = self.ask(
            "Runtime.evaluate", session, expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            sys.exit(answer["exceptionDetails"].get("exception", {}).get("description", "refused"))
        return answer["result"].get("value")


def network_log(browser, archive):
    target = browser.ask("Target.createTarget", url=TOOLS)["targetId"]
    session = browser.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    deadline = time.monotonic() + 60
    while not browser.evaluate(session, ARE_READY):
        if time.monotonic() > deadline:
            sys.exit("the developer tools do not load")
        time.sleep(0.05)
    return browser.evaluate(session, f"{IMPORT}({json.dumps(archive)})")


def main():
    _, program, path = sys.argv
    with open(path, encoding="utf-8") as file:
        archive = file.read()
    folder = tempfile.mkdtemp(prefix="godwit-browser.")
    browser = Browser(program, folder)
    try:
        print(json.dumps(network_log(browser, archive)))
    finally:
        browser.process.kill()
        browser.process.wait()
        shutil.rmtree(folder, ignore_errors=True)


main()
