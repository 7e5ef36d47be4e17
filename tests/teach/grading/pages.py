"""What the reports are read with: a parser, what an element shows, and whether a page needs nothing but itself."""

import base64
import hashlib
import re

from bs4 import BeautifulSoup

# What a student may put into a name, a file or a message.
EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)>\N{RIGHT-TO-LEFT OVERRIDE}\x07\ud800`<b>`"


def read(page):
    """Return a page as a tree of elements."""
    return BeautifulSoup(page, "html.parser")


def text(element):
    """Return what an element shows, on one line."""
    return " ".join(element.get_text().split())


def links(page):
    """Return the links of a page, after asserting that it asks for nothing outside itself.

    Its policy forbids all but its own style and script, which it knows by their hashes.
    """
    tree = read(page)
    policy = tree.find("meta", attrs={"http-equiv": "Content-Security-Policy"})["content"]
    assert policy.startswith("default-src 'none'; ")
    for tag in [tree.style, *tree.find_all("script")]:
        digest = base64.b64encode(hashlib.sha256(tag.string.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert not re.search(r"@import|url\(|@font-face", tree.style.string)
    for tag in tree.find_all(True):
        assert not {"src", "srcset", "style", "background", "action"} & set(tag.attrs), tag
        assert not [name for name in tag.attrs if name.startswith("on")], tag
        assert tag.name not in ("link", "iframe", "object", "embed", "base", "form", "img"), tag
    return [tag["href"] for tag in tree.find_all(href=True)]


def assert_tame(page):
    """Assert that `EVIL` is shown as text, and that no character is left that turns or hides what is read."""
    tree = read(page)
    assert "alert(1)</script>" not in "".join(tag.string for tag in tree.find_all("script"))
    assert not tree.find_all("b", string="<b>")
    assert "<script>alert(1)</script><img src=x" in text(tree.main)
    assert "<b>" in [code.get_text() for code in tree.find_all("code")], "what stands between backticks is code"
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b-\x1f\x7f-\x9f]", page)
    page.encode("utf-8")  # which a half of a pair of surrogates does not let happen
