"""A real Chromium without a window, and what tests ask of a page in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

_FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1300,1000")


class Browser:
    """One page at a time."""

    def __init__(self) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for flag in _FLAGS:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))

    def close(self) -> None:
        """End the browser."""
        self.driver.quit()

    def open(self, path: Path) -> None:
        """Load a page from a file, in a wide window with light colours."""
        self.media(dark=False)
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.driver.get(path.as_uri())
        self.run("localStorage.clear(); setTheme('auto'); return null")

    def media(self, *, dark: bool) -> None:
        """What the system says about colours."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})

    def phone(self) -> None:
        """A narrow window."""
        metrics = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def run(self, script: str, *arguments: object) -> Any:
        """The value of a script's `return`."""
        return self.driver.execute_script(script, *arguments)

    def all(self, css: str) -> list[WebElement]:
        """The elements that are shown."""
        return [node for node in self.driver.find_elements(By.CSS_SELECTOR, css) if node.is_displayed()]

    def one(self, css: str) -> WebElement:
        """The first element."""
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def count(self, css: str) -> int:
        """How many elements are shown."""
        return len(self.texts(css))

    def texts(self, css: str) -> list[str]:
        """What the shown elements say, asked for at one moment."""
        script = (
            "return [...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility()).map(e => e.innerText)"
        )
        return [str(text) for text in self.run(script, css)]

    def press(self, *keys: str) -> None:
        """Keys, for whatever has the focus."""
        self.driver.switch_to.active_element.send_keys(*keys)

    @property
    def focused(self) -> str:
        """The text or the id of what has the focus."""
        node = self.driver.switch_to.active_element
        return str(node.get_attribute("id") or node.text)

    @property
    def complaints(self) -> list[str]:
        """What the page wrote to its console since the last look."""
        return [str(entry["message"]) for entry in self.driver.get_log("browser")]

    def script_seconds(self) -> float:
        """The time that scripts of the page took, as the browser measured it."""
        metrics = self.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return float(next(entry["value"] for entry in metrics if entry["name"] == "ScriptDuration"))
