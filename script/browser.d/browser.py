"""Chromium without a window, for the tests that need a real browser."""
import json
import os
import shutil
import subprocess
import sys
import tempfile


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

    def open(self, url):
        """Opens a page, and returns its session."""
        target = self.ask("Target.createTarget", url=url)["targetId"]
        return self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def end(self):
        self.process.kill()
        self.process.wait()


def run(program, work):
    """Starts the browser in a new folder, and returns what the work with it returns."""
    folder = tempfile.mkdtemp(prefix="godwit-browser.")
    browser = Browser(program, folder)
    try:
        return work(browser)
    finally:
        browser.end()
        shutil.rmtree(folder, ignore_errors=True)
