#!/usr/bin/env python3
"""Goes through a story of the reader's page in Chromium, and prints as JSON what it showed.

    reader.py CHROMIUM PAGE API story|keyboard|write-offline|start-offline [FOLDER]

PAGE is the URL of the page, API that of the example API, which another user changes meanwhile. With a folder, also takes
screenshots there: light and dark, wide and narrow.
"""
import base64
import json
import sys
import time
import urllib.request

from browser import run

SIZES = {"wide": (1280, 800, False), "narrow": (390, 844, True)}
TALL = (1280, 2600, False)
ELSEWHERE = "performance.getEntriesByType('resource').map(entry => entry.name).filter(name => !name.startsWith(location.origin))"
TITLES = "[...document.querySelectorAll('#rows b')].map(row => row.textContent)"


class Page:
    """The page in the browser, and what a person does with it."""

    def __init__(self, browser, url, folder):
        self.browser, self.folder = browser, folder
        self.session = browser.open("about:blank")
        self.browser.ask("Page.enable", self.session)
        self.resize(SIZES["wide"])
        browser.ask("Page.navigate", self.session, url=url)

    def evaluate(self, expression):
        return self.browser.evaluate(self.session, expression)

    def wait(self, condition, what):
        deadline = time.monotonic() + 20
        while not self.evaluate(f"Boolean({condition})"):
            if time.monotonic() > deadline:
                sys.exit(f"{what}: not within 20 s. The page shows:\n{self.text('body')}")
            time.sleep(0.02)

    def text(self, selector):
        return self.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")

    def shown(self, selector):
        return f"document.querySelector({json.dumps(selector)})?.checkVisibility()"

    def click(self, selector):
        self.wait(f"{self.shown(selector)} && !document.querySelector({json.dumps(selector)}).disabled", f"{selector} to click")
        self.evaluate(f"document.querySelector({json.dumps(selector)}).click()")

    def type(self, selector, text):
        """Types as a person does: focus, then the whole text as input."""
        self.wait(self.shown(selector), f"{selector} to type in")
        self.evaluate(f"(() => {{ const box = document.querySelector({json.dumps(selector)}); box.focus(); box.select(); }})()")
        if text:
            self.browser.ask("Input.insertText", self.session, text=text)
        else:
            self.evaluate(f"(() => {{ const box = document.querySelector({json.dumps(selector)}); box.value = ''; "
                          "box.dispatchEvent(new Event('input')); box.blur(); })()")

    def press(self, key, code):
        """Presses a key on what has the focus."""
        text = {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.browser.ask("Input.dispatchKeyEvent", self.session, type=kind, key=key, code=key,
                             windowsVirtualKeyCode=code, **(text if kind == "keyDown" else {}))

    def focus(self, selector):
        self.wait(self.shown(selector), f"{selector} to focus")
        self.evaluate(f"document.querySelector({json.dumps(selector)}).focus()")

    def focused(self):
        """What has the focus: its ID, or else its element's name."""
        return self.evaluate("document.activeElement.id || document.activeElement.tagName")

    def network(self, condition):
        self.evaluate(f"(() => {{ const box = document.getElementById('condition'); box.value = '{condition}'; "
                      "box.dispatchEvent(new Event('change')); })()")

    def resize(self, size):
        width, height, mobile = size
        self.browser.ask("Emulation.setDeviceMetricsOverride", self.session, width=width, height=height,
                         deviceScaleFactor=1, mobile=mobile)

    def shoot(self, name):
        if not self.folder:
            return
        for size, bounds in SIZES.items():
            self.resize(bounds)
            for scheme in ("light", "dark"):
                self.browser.ask("Emulation.setEmulatedMedia", self.session,
                                 features=[{"name": "prefers-color-scheme", "value": scheme}])
                time.sleep(0.25)
                picture = self.browser.ask("Page.captureScreenshot", self.session, format="png")["data"]
                with open(f"{self.folder}/{name}-{size}-{scheme}.png", "wb") as file:
                    file.write(base64.b64decode(picture))
        self.resize(SIZES["wide"])


class SomebodyElse:
    """Another user of the API."""

    def __init__(self, api):
        self.api = api
        self.token = self.send("POST", "auth/login", {"name": "ben", "password": "tides"})["access_token"]

    def send(self, method, path, value):
        request = urllib.request.Request(f"{self.api}/{path}", json.dumps(value).encode(), method=method)
        request.add_header("Content-Type", "application/json")
        if method != "POST":
            request.add_header("Authorization", f"Bearer {self.token}")
        with urllib.request.urlopen(request) as response:
            return json.load(response)


def row(page, number):
    """The text of a row; innerText of one that is out of sight is empty."""
    return page.evaluate(f"document.querySelector('#rows li[data-id=\"{number}\"]').textContent")


def signing_in(page):
    page.type("#sign-in [name=password]", "ebb")
    page.click("#sign-in button")
    page.wait(page.shown("#sign-in .bad"), "the refusal")
    refused = page.text("#sign-in .bad")
    page.shoot("sign-in")
    page.type("#sign-in [name=password]", "tides")
    page.click("#sign-in button")
    page.wait("document.querySelectorAll('#rows li').length >= 20", "the first articles")
    page.wait("document.querySelector('#news i.open')", "the open feed")
    page.wait("document.querySelector('#account .name')?.textContent", "the user's name")
    return {"refused": refused, "user": page.text("#account .name")}


def paging(page):
    page.shoot("list")
    page.resize(TALL)
    page.wait("document.querySelectorAll('#rows li').length >= 40", "what follows a part that does not fill the window")
    page.resize(SIZES["wide"])
    first = page.evaluate("document.querySelectorAll('#rows li').length")
    while page.text("#end") != "That is all.":
        page.evaluate("document.getElementById('end').scrollIntoView()")
        time.sleep(0.02)
    ids = page.evaluate("[...document.querySelectorAll('#rows li')].map(row => Number(row.dataset.id))")
    page.evaluate("document.getElementById('list').scrollTo(0, 0)")
    return {"first": first, "rows": len(ids), "descending": ids == sorted(set(ids), reverse=True)}


def searching(page):
    page.type("#search", "lagoon part 3")
    page.wait(f"{TITLES}.length === 1", "one result")
    found = page.evaluate(TITLES)
    page.shoot("search")
    page.type("#search", "snow")
    page.wait(page.shown("#notice"), "no result")
    message = page.text("#notice")
    page.type("#search", "")
    page.wait("document.querySelectorAll('#rows li').length >= 40", "the list again")
    return {"found": found, "nothing": message}


def opened(page, number, picture=True):
    page.click(f"#rows li[data-id='{number}'] button")
    page.wait(f"document.querySelector('#detail img')?.src.endsWith('picture/{number}')", f"article {number}")
    if picture:
        page.wait("document.querySelector('#detail img').naturalWidth === 240", "its picture")
    page.wait("document.querySelector('#byline')?.textContent.startsWith('by ')", "its author")
    return page.text("#detail article")


def editing(page, number):
    page.click("#edit")
    page.type("#editor [name=title]", "x" * 121)
    page.click("#save")
    page.wait(page.shown("#refused"), "the refusal")
    page.shoot("refused")
    page.click("#correct")
    page.wait("document.querySelector('#editor small')?.textContent", "the fault of the title")
    fault = page.text("#editor small")
    page.type("#editor [name=title]", "What the tide left")
    page.shoot("editor")
    page.click("#save")
    page.wait("document.querySelector('#detail h2')?.textContent === 'What the tide left' && !document.querySelector('#editor')", "the saved title")
    page.wait(f"!{page.shown('#changes')}", "no change that waits")
    return {"fault": fault, "row": row(page, number)}


def overtaken(page, number, other, mine, theirs):
    """Both change the title of the open article."""
    page.click("#edit")
    page.type("#editor [name=title]", mine)
    other.send("PATCH", f"articles/{number}", {"title": theirs})
    page.wait(f"document.querySelector('#news ol').textContent.includes({json.dumps(theirs)})", "the news of the change")
    page.click("#save")
    page.wait(page.shown("#conflict"), "the conflict")
    return page.evaluate("[...document.querySelectorAll('#conflict b')].map(title => title.textContent)")


def titled(page, title):
    page.wait(f"document.querySelector('#detail h2')?.textContent === {json.dumps(title)} && !document.getElementById('conflict')"
              f" && !{page.shown('#changes')}", f"the title {title}")
    return page.text("#detail h2")


def conflicting(page, number, other):
    report = {"both": overtaken(page, number, other, "Mine", "Theirs")}
    page.shoot("conflict")
    page.click("#keep-mine")
    report["mine"] = titled(page, "Mine")
    overtaken(page, number, other, "Mine again", "Theirs again")
    page.click("#keep-theirs")
    report["theirs"] = titled(page, "Theirs again")
    overtaken(page, number, other, "Mine, merged", "Theirs, merged")
    page.click("#merge")
    page.wait(page.shown(".their"), "their title")
    page.shoot("merge")
    report["their"] = page.text(".their span")
    page.click(".their button")
    page.type("#editor [name=body]", "Both of us wrote this.")
    page.click("#save")
    report["merged"] = titled(page, "Theirs, merged")
    page.wait("document.querySelector('#detail .body')?.textContent === 'Both of us wrote this.'", "the merged text")
    return report


def without_network(page, number, other):
    page.network("offline")
    page.wait(page.shown("#banner"), "the banner")
    before = page.text("#banner")
    page.click("#edit")
    page.type("#editor [name=title]", "Written offline")
    page.click("#save")
    page.wait("document.querySelector('#banner').textContent.includes('1 change waits')", "the waiting change")
    page.wait("document.querySelector('#detail h2')?.textContent === 'Written offline'", "the change at once")
    page.shoot("offline")
    report = {"banner": before, "waiting": page.text("#banner"), "row": row(page, number), "changes": page.text("#changes summary")}
    report["unsent"] = other.send("PATCH", f"articles/{number + 1}", {"tags": ["sea"]})["title"]
    page.network("online")
    page.wait(f"!{page.shown('#banner')}", "the network")
    page.wait(f"!document.querySelector('#rows li[data-id=\"{number}\"] .badge:not([hidden])')", "the sent change")
    page.wait("document.querySelector('#news ol').textContent.includes('Written offline')", "its news")
    return report


def failing(page, number):
    page.network("failing")
    page.click(f"#rows li[data-id='{number}'] button")
    page.wait(page.shown("#detail .error"), "the error")
    page.shoot("error")
    message = page.text("#detail .error span")
    page.network("online")
    page.click("#detail .error button")
    page.wait("document.querySelector('#detail h2')", "the article after the error")
    return {"message": message, "after": page.text("#detail h2")}


def deleting(page, number):
    rows = "document.querySelectorAll('#rows li').length"
    before = page.evaluate(rows)
    page.click("#remove")
    page.wait(f"!document.querySelector('#rows li[data-id=\"{number}\"]') && document.querySelector('#detail .empty')", "the removal")
    page.wait(f"!{page.shown('#changes')}", "the sent removal")
    return {"before": before, "after": page.evaluate(rows)}


def uploading(page):
    page.evaluate("window.fractions = []; new MutationObserver(() => { const bar = document.getElementById('upload'); if (!bar.hidden) fractions.push(bar.value); })"
                  ".observe(document.getElementById('upload'), { attributes: true })")
    page.evaluate("reader.send(new Blob([new Uint8Array(900 << 10)]))")
    page.wait("fractions.some(value => value > 0.3)", "a third of the upload")
    page.shoot("upload")
    page.wait("document.getElementById('account').textContent.includes('✓')", "the upload")
    return {"fractions": page.evaluate("fractions")}


def signing_out(page):
    page.click("#sign-out")
    page.wait(page.shown("#sign-in"), "the sign-in")
    page.wait("document.querySelectorAll('#rows li').length === 0", "the empty list")
    page.wait("document.querySelectorAll('#news li').length === 0", "the empty news")
    return {"rows": page.evaluate("document.querySelectorAll('#rows li').length"),
            "detail": page.text("#detail"), "news": page.evaluate("document.querySelectorAll('#news li').length"),
            "name": page.evaluate("document.querySelector('#account .name').textContent")}


def story(browser, url, api, folder):
    page, other = Page(browser, url, folder), SomebodyElse(api)
    report = {"signIn": signing_in(page), "paging": paging(page), "search": searching(page)}
    number = page.evaluate("Number(document.querySelector('#rows li:nth-child(4)').dataset.id)")
    report["article"] = opened(page, number)
    page.shoot("article")
    report["edit"] = editing(page, number)
    report["conflict"] = conflicting(page, number, other)
    report["offline"] = without_network(page, number, other)
    report["failing"] = failing(page, number - 1)
    report["delete"] = deleting(page, number - 1)
    report["upload"] = uploading(page)
    report["signOut"] = signing_out(page)
    report["elsewhere"] = page.evaluate(ELSEWHERE)
    return report


def keyboard(browser, url, api, folder):
    """Without a mouse: where the focus is, what is announced, and that nothing moves it while the page changes."""
    page, other = Page(browser, url, folder), SomebodyElse(api)
    signing_in(page)
    report = {}
    page.focus("#rows li[data-id='57'] button")
    page.press("Enter", 13)
    page.wait("document.activeElement.tagName === 'H2'", "the heading with the focus")
    report["current"] = page.evaluate("document.querySelector('#rows [aria-current]').parentNode.dataset.id")
    page.wait(f"{page.shown('#edit')} && !document.getElementById('edit').disabled", "the article")
    page.focus("#edit")
    page.evaluate("window.kept = [document.getElementById('edit'), document.querySelector(\"#rows li[data-id='57'] button\"), document.getElementById('sign-out')]")
    other.send("PATCH", "articles/57", {"title": "Theirs"})
    page.wait("document.querySelector('#detail h2').textContent === 'Theirs'", "their title")
    page.wait("document.querySelector('#news ol').textContent.includes('Theirs')", "the news")
    report["during"] = page.focused()
    report["kept"] = page.evaluate("kept.every(element => element.isConnected)")
    page.press("Enter", 13)
    page.wait("document.activeElement.name === 'title'", "the form's first field")
    page.type("#editor [name=title]", " ")
    page.click("#save")
    page.wait("document.querySelector('#editor [name=title]').getAttribute('aria-invalid') === 'true'", "the invalid field")
    report["fault"] = page.text("#fault-title")
    page.type("#editor [name=title]", "Half a sentence")
    page.focus("#cancel")
    page.press("Enter", 13)
    page.wait("document.getElementById('question').open", "the question")
    report["question"] = page.text("#question p")
    page.shoot("question")
    page.press("Escape", 27)
    page.wait("!document.getElementById('question').open", "no question")
    report["input"] = page.evaluate("document.querySelector('#editor [name=title]').value")
    page.evaluate("location.reload()")
    page.wait("document.querySelector('#editor [name=title]')?.value === 'Half a sentence'", "the input after a reload")
    page.click("#cancel")
    page.click("#confirm")
    page.wait("document.activeElement.tagName === 'H2'", "the heading after the form")
    page.resize(SIZES["narrow"])
    page.focus("#back")
    page.press("Enter", 13)
    page.wait("document.activeElement.closest('#rows li')?.dataset.id === '57'", "the row with the focus")
    page.resize(SIZES["wide"])
    page.evaluate("window.sound = window.fetch; window.fetch = () => Promise.reject(new TypeError('gone'))")
    page.type("#search", "lagoon")
    page.wait(page.shown("#failure"), "the failure of a request")
    report["failure"] = page.text("#failure")
    page.evaluate("window.fetch = window.sound")
    page.type("#search", "lagoon part 3")
    page.wait(f"{TITLES}.length === 1", "the search after a failure")
    report["failed"] = page.evaluate("!document.getElementById('failure').hidden")
    page.evaluate("reader.send(new Blob([new Uint8Array((8 << 20) + 1)]))")
    page.wait(page.shown("#failure"), "the refused picture")
    report["picture"] = page.text("#failure")
    return report


def write_offline(browser, url, api, folder):
    """Signs in, reads, and changes an article without a network. Then the program is killed."""
    page = Page(browser, url, None)
    signing_in(page)
    opened(page, 57)
    page.network("offline")
    page.click("#edit")
    page.type("#editor [name=title]", "Kept by the outbox")
    page.click("#save")
    page.wait("document.querySelector('#banner').textContent.includes('1 change waits')", "the waiting change")
    page.wait("document.querySelector('#detail article h2')", "the change at once")
    return {"title": page.text("#detail h2")}


def start_offline(browser, url, api, folder):
    """What another launch shows without a network, and when it returns."""
    page = Page(browser, url, folder)
    page.wait("document.querySelectorAll('#rows li').length >= 20", "the kept list")
    page.wait("document.querySelector('#banner').textContent.includes('1 change waits')", "the waiting change")
    report = {"banner": page.text("#banner"), "count": page.text("#count"), "row": row(page, 57), "user": page.text("#account .name")}
    opened(page, 57, picture=False)
    report["article"] = page.text("#detail article")
    page.shoot("cold")
    page.network("online")
    page.wait(f"!{page.shown('#changes')} && !{page.shown('#banner')}", "the sent change")
    report["after"] = titled(page, "Kept by the outbox")
    return report


STORIES = {"story": story, "keyboard": keyboard, "write-offline": write_offline, "start-offline": start_offline}


def main():
    program, url, api, name = sys.argv[1:5]
    folder = sys.argv[5] if len(sys.argv) > 5 else None
    print(json.dumps(run(program, lambda browser: STORIES[name](browser, url, api, folder))))


main()
