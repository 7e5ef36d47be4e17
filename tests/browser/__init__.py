"""The course in a browser: JupyterLab on this machine, Chromium without a window, real key presses."""
