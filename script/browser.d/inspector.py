#!/usr/bin/env python3
"""Opens the inspector's page in Chromium, and prints as JSON what it shows and how long that took.

    inspector.py CHROMIUM URL CALLS FILTER [FOLDER]

Waits until the page has that many calls, measures the filter, opens the last call that passes it, and tries the keys. With a
folder, also takes screenshots there, light and dark.
"""
import base64
import json
import sys
import time

from browser import run

LOADED = """(async count => {
    const start = performance.timeOrigin;
    while (!window.inspector || inspector.calls.size < count || !document.querySelector('#space .row')) {
        if (performance.now() > 30000) throw new Error(`${window.inspector?.calls.size} calls after 30 s`);
        await new Promise(resolve => setTimeout(resolve, 5));
    }
    return performance.now();
})"""
FILTERED = """(text => {
    const box = document.getElementById('filter');
    const start = performance.now();
    box.value = text;
    box.dispatchEvent(new Event('input'));
    document.getElementById('space').getBoundingClientRect();
    return performance.now() - start;
})"""
SHOWN = """({
    calls: inspector.calls.size, shown: inspector.state.shown.length,
    rows: document.querySelectorAll('#space .row').length,
    text: document.querySelector('#space .row:last-child')?.innerText ?? '',
    detail: document.getElementById('detail').innerText,
    elsewhere: performance.getEntriesByType('resource').map(entry => entry.name).filter(name => !name.startsWith(location.origin)),
})"""
# What each copy button would put on the clipboard.
COPIED = """(async () => {
    const copied = [];
    const real = navigator.clipboard;
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: async text => { copied.push(text); } }, configurable: true });
    for (const button of [...document.querySelectorAll('#detail .tools button')].filter(button => /^(Copy )?as /.test(button.innerText))) {
        button.click();
        await new Promise(resolve => setTimeout(resolve, 20));
    }
    Object.defineProperty(navigator, 'clipboard', { value: real, configurable: true });
    return copied;
})()"""
REVEALED = """(async () => {
    document.querySelector('#detail button.link').click();
    const start = performance.now();
    const before = document.getElementById('detail').innerText;
    while (document.getElementById('detail').innerText === before) {
        if (performance.now() - start > 10000) throw new Error('nothing is revealed');
        await new Promise(resolve => setTimeout(resolve, 20));
    }
    return document.getElementById('detail').innerText;
})()"""
COMPARED = """(async () => {
    const start = performance.now();
    while (!document.querySelector('#detail .title b')?.innerText.startsWith('Compare')) {
        if (performance.now() - start > 10000) throw new Error('nothing is compared');
        await new Promise(resolve => setTimeout(resolve, 20));
    }
    return document.getElementById('detail').innerText;
})()"""


def press(browser, session, key):
    for kind in ("keyDown", "keyUp"):
        text = {"text": key} if len(key) == 1 and kind == "keyDown" else {}
        browser.ask("Input.dispatchKeyEvent", session, type=kind, key=key, **text)
    time.sleep(0.3)


def shoot(browser, session, folder, name):
    for scheme in ("light", "dark"):
        browser.ask("Emulation.setEmulatedMedia", session,
                    features=[{"name": "prefers-color-scheme", "value": scheme}])
        time.sleep(0.2)
        picture = browser.ask("Page.captureScreenshot", session, format="png")["data"]
        with open(f"{folder}/{name}-{scheme}.png", "wb") as file:
            file.write(base64.b64decode(picture))


def load(browser, url, count):
    """Opens the page, and returns its session and the milliseconds until it had the calls."""
    session = browser.open(url)
    deadline = time.monotonic() + 30
    while browser.evaluate(session, "location.href + document.readyState") != url + "complete":
        if time.monotonic() > deadline:
            sys.exit("the page does not load")
        time.sleep(0.02)
    fault = browser.evaluate(session, "import('./main.js').then(() => '', String)")
    if fault:
        sys.exit(fault)
    return session, browser.evaluate(session, f"{LOADED}({count})")


def inspect(browser, url, count, text, folder):
    # The best of two: the first also starts the browser's processes.
    first = load(browser, url, count)[1]
    session, second = load(browser, url, count)
    browser.ask("Emulation.setDeviceMetricsOverride", session, width=1280, height=800, deviceScaleFactor=1, mobile=False)
    report = {"load": min(first, second)}
    if folder:
        shoot(browser, session, folder, "list")
    # The best of three: other programs on the machine are not the page's time.
    report["filter"] = max(
        min(browser.evaluate(session, f"{FILTERED}({json.dumps(word)})") for _ in range(3))
        for word in ("e", "status:5xx", "slow:>500ms", ""))
    browser.evaluate(session, f"{FILTERED}({json.dumps(text)})")
    report["filtered"] = browser.evaluate(session, SHOWN)
    for key in ("k", "Enter"):
        press(browser, session, key)
    report["opened"] = browser.evaluate(session, SHOWN)
    if folder:
        shoot(browser, session, folder, "detail")
        for index in range(min(20, report["filtered"]["shown"])):
            shoot(browser, session, folder, f"call{index}")
            press(browser, session, "k")
    if text == "/articles":
        # The last one came from the cache.
        press(browser, session, "k")
        report["copied"] = browser.evaluate(session, COPIED)
        press(browser, session, "m")
        report["revealed"] = browser.evaluate(session, REVEALED)
        press(browser, session, "j")
        press(browser, session, "c")
        report["compared"] = browser.evaluate(session, COMPARED)
    press(browser, session, "Escape")
    report["closed"] = browser.evaluate(session, "document.getElementById('detail').hidden")
    press(browser, session, "v")
    report["values"] = browser.evaluate(session, "document.getElementById('values').innerText")
    if folder:
        shoot(browser, session, folder, "values")
    return report


def main():
    program, url, count, text = sys.argv[1:5]
    folder = sys.argv[5] if len(sys.argv) > 5 else None
    print(json.dumps(run(program, lambda browser: inspect(browser, url, int(count), text, folder))))


main()
