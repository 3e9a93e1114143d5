"""A headless Chromium, driven over its debugging pipe: no other package is needed for it.

    with Browser() as browser:
        page = browser.page(width=1280, height=720)
        page.open("report.html")
        page.run("document.title")
"""
import base64
import itertools
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PATIENCE = 300  # seconds, for any one answer


def find_browser():
    """The program, or None."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="stagecraft-browser-")
        theirs_in, self.out = os.pipe()
        self.into, theirs_out = os.pipe()
        options = ["--headless", "--remote-debugging-pipe", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
                   "--force-color-profile=srgb", f"--user-data-dir={self.folder.name}/profile"]
        if os.geteuid() == 0:
            options.append("--no-sandbox")  # Chromium will have it so
        script = f'exec "$0" "$@" 3<&{theirs_in} 4>&{theirs_out}'
        self.process = subprocess.Popen(["sh", "-c", script, find_browser(), *options], pass_fds=(theirs_in, theirs_out),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.rest = b""
        self.numbers = itertools.count(1)
        self.events = []  # (session, method, parameters)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.out)
        os.close(self.into)
        for _ in range(20):  # its children write on for a moment
            try:
                self.folder.cleanup()
                return
            except OSError:
                time.sleep(0.1)

    def call(self, method, session=None, **parameters):
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self.next_message(deadline)
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def next_message(self, deadline):
        while b"\0" not in self.rest:
            if not select.select([self.into], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.into, 1 << 16)
            if not piece:
                raise RuntimeError("the browser is gone")
            self.rest += piece
        text, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(text)
        if "method" in message:
            self.events.append((message.get("sessionId"), message["method"], message.get("params", {})))
        return message

    def wait_for(self, session, method):
        deadline = time.monotonic() + PATIENCE
        while not any(event[:2] == (session, method) for event in self.events):
            self.next_message(deadline)

    def page(self, width=1280, height=720, dark=False, script=True):
        return Page(self, width, height, dark, script)


class Page:
    def __init__(self, browser, width, height, dark, script):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"}])
        self.call("Emulation.setScriptExecutionDisabled", value=not script)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def open(self, path):
        self.call("Page.navigate", url=Path(path).resolve().as_uri())
        self.browser.wait_for(self.session, "Page.loadEventFired")

    def run(self, expression):
        """The value of a JavaScript expression; a promise is waited for."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(f"{expression}: {details.get('exception', {}).get('description', details['text'])}")
        return answer["result"].get("value")

    def click(self, selector, index=0, count=1):
        """A real click into the middle of an element, brought into sight first."""
        box = self.run(f"(() => {{ const e = document.querySelectorAll({json.dumps(selector)})[{index}]; "
                       "e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect(); "
                       "return [b.x + b.width / 2, b.y + b.height / 2]; })()")
        self.mouse("mouseMoved", *box)
        for times in range(1, count + 1):
            self.mouse("mousePressed", *box, button="left", buttons=1, clickCount=times)
            self.mouse("mouseReleased", *box, button="left", clickCount=times)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def key(self, key, text=None):
        more = {"text": text} if text else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, **more,
                  **({"windowsVirtualKeyCode": 13} if key == "Enter" else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=key)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def picture(self, path, whole=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        Path(path).write_bytes(base64.b64decode(data))

    def events(self, method):
        self.call("Runtime.evaluate", expression="0")  # what came before is here then
        return [event[2] for event in self.browser.events if event[:2] == (self.session, method)]

    def complaints(self):
        """What the console holds, whatever it is."""
        logged = [entry["entry"]["text"] for entry in self.events("Log.entryAdded")]
        printed = [str([value.get("value") for value in call["args"]]) for call in self.events("Runtime.consoleAPICalled")]
        thrown = [event["exceptionDetails"].get("exception", {}).get("description", event["exceptionDetails"]["text"])
                  for event in self.events("Runtime.exceptionThrown")]
        return logged + printed + thrown

    def requests(self):
        """Addresses that anything was asked of, the page itself first."""
        return [event["request"]["url"] for event in self.events("Network.requestWillBeSent")]
