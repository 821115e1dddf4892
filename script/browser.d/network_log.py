#!/usr/bin/env python3
"""Opens an HTTP archive in the developer tools of Chromium, and prints what their network log then has, as JSON.

    network_log.py CHROMIUM ARCHIVE

The tools' page is opened by itself in a browser without a window, and the archive goes through the importer that
"Import HAR file" of the network tab calls. An archive that they refuse ends this with what they say.
"""
import json
import sys
import time

from browser import run

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


def network_log(browser, archive):
    session = browser.open(TOOLS)
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
    print(json.dumps(run(program, lambda browser: network_log(browser, archive))))


main()
