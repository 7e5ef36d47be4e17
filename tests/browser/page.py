"""A notebook open in a browser, every cell of it run."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from browser.explorer import Explorer

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"

PATIENCE = 180  # seconds for whatever the page is asked; on a quiet machine nothing takes 5

LOADED = "() => window.jupyterapp?.shell.currentWidget?.content?.widgets?.length"

RUN = """async () => {
  const panel = jupyterapp.shell.currentWidget;
  await panel.context.ready;
  await panel.sessionContext.ready;
  return jupyterapp.commands.execute('notebook:run-all-cells');
}"""

ANSWERED = """async () => {
  const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  await kernel.requestExecute({code: '', silent: true, store_history: false}).done;
}"""

DRAWN = "() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))"

SCAN = """([include, exclude]) => axe.run({include, exclude}, {resultTypes: ['violations']})"""


class Opened:
    """One notebook in one tab of the browser."""

    def __init__(self, browser: Any, server: tuple[str, str], file: str) -> None:
        address, token = server
        self.errors: list[str] = []  # what the browser's console shows in red
        self.left: list[str] = []  # the addresses of requests that would leave this machine
        self.page = browser.new_page()
        self.page.set_default_timeout(1000 * PATIENCE)
        self.page.on("console", lambda line: self.errors.append(line.text) if line.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self._keep_address(request.url))
        self.page.on("websocket", lambda socket: self._keep_address(socket.url))
        self.page.goto(f"{address}lab/workspaces/{Path(file).stem}/tree/{file}?token={token}")
        self.page.wait_for_function(LOADED)
        self.page.evaluate("jupyterapp.shell.collapseLeft()")  # the list of files, which takes 240 pixels
        self.dress("Light", 1280)
        self.ran_to_the_end: bool = self.page.evaluate(RUN)
        self.settle()

    def _keep_address(self, address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme not in {"data", "blob"} and parts.hostname not in {"127.0.0.1", "localhost"}:
            self.left.append(address)

    def settle(self) -> None:
        """Wait until the kernel has answered all that it was asked before, and the page has drawn the answers."""
        self.page.evaluate(ANSWERED)
        self.page.evaluate(DRAWN)

    def dress(self, theme: str, width: int) -> None:
        """Set JupyterLab's theme, "Light" or "Dark", and the width of the window in pixels."""
        self.page.set_viewport_size({"width": width, "height": 1000})
        self.page.evaluate(f"jupyterapp.commands.execute('apputils:change-theme', {{theme: 'JupyterLab {theme}'}})")
        self.page.wait_for_function(f"document.body.dataset.jpThemeName === 'JupyterLab {theme}'")
        self.page.evaluate(DRAWN)

    def explorers(self, name: str) -> list[Explorer]:
        """Return the copies of an explorer, in their order."""
        return [Explorer(self, root) for root in self.page.locator(f".attention-explorer.attention-{name}").all()]

    def violations(self, inside: list[str], outside: list[str]) -> list[str]:
        """Return what axe-core finds inside some selectors and outside some others."""
        self.page.evaluate(AXE.read_text(encoding="utf-8"))
        found = self.page.evaluate(SCAN, [[[one] for one in inside], [[one] for one in outside]])
        return [f"{one['id']}: {node['html'][:200]}" for one in found["violations"] for node in one["nodes"]]
