"""Reads hostile documents from stdin and says what cmark-gfm, GitHub's engine, sees wrongly.

The engine makes HTML in its safe mode: raw HTML of a document becomes a comment of a known form, and every `<` of its text
an entity. So each tag of the answer was made by the engine, and a regular expression can read it.
"""

import json
import re
import sys

from cmarkgfm import cmark

SHOWN = 5
OPTIONS = cmark.Options.CMARK_OPT_FOOTNOTES
EXTENSIONS = ["table", "autolink", "strikethrough", "tasklist"]
RAW_HTML = "<!-- raw HTML omitted -->"
PIECES = re.compile(r"<!--.*?-->|<(/?)([a-z0-9]+)([^>]*)>|([^<]+)", re.S)
TOP = {"p": "p", "blockquote": "quote", "ul": "list", "table": "table", "h1": "h1", "h2": "h2", "h3": "h3"}
IN_QUOTES = {
    "p", "blockquote", "ul", "ol", "li", "pre", "code", "em", "strong", "del", "a", "table", "thead", "tbody", "tr", "th",
    "td", "hr", "br", "input",
}
IN_OURS = {"p", "li", "code", "strong", "a", "thead", "tbody", "tr", "th", "td"}
VOID = {"hr", "br", "input", "img"}
ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&"}
ENTITY = re.compile("|".join(ENTITIES))
TARGET = re.compile(r'href="([^"]*)"')
SCHEME = re.compile(r"([a-z0-9+.-]*):", re.I)
# Schemes that run nothing; the engine makes links of `mailto:` with any letters before it.
SAFE = re.compile(r"https?|ftp|.*mailto|.*xmpp", re.I)
PLAIN = re.compile(r'\s*<pre><code class="language-text">[^<]*</code></pre>\s*</blockquote>')


def words(html: str) -> str:
    return ENTITY.sub(lambda entity: ENTITIES[entity[0]], html)


def is_safe(attributes: str) -> bool:
    target = TARGET.search(attributes)
    scheme = target and SCHEME.match(words(target[1]))
    return not scheme or bool(SAFE.fullmatch(scheme[1]))


class Page:
    """What the engine saw."""

    def __init__(self, html: str) -> None:
        self.html = html
        self.blocks: list[list[str]] = []
        self.acts: list[str] = []
        self.depth = 0
        for piece in PIECES.finditer(html):
            if piece[2]:
                self.tag(piece)
            elif piece[4] is None:
                self.acts.append("raw HTML")
            elif self.depth > 0:
                self.text(piece[4])

    def tag(self, piece: re.Match) -> None:
        closes, name, attributes = piece[1], piece[2], piece[3]
        if closes:
            self.depth -= 1
            return
        if self.depth == 0:
            kind = TOP.get(name, name)
            if kind == "quote" and PLAIN.match(self.html, piece.end()):
                kind = "plain"
            self.blocks.append([kind, ""])
        else:
            self.inner(name, attributes)
        if name not in VOID:
            self.depth += 1

    def inner(self, name: str, attributes: str) -> None:
        block = self.blocks[-1]
        is_quote = block[0] in ("quote", "plain")
        if name not in (IN_QUOTES if is_quote else IN_OURS) or "footnote" in attributes:
            self.acts.append(f"<{name}{attributes}>")
        if name == "a" and not is_safe(attributes):
            self.acts.append("a link that runs")
        if is_quote:
            return
        if name in ("li", "tr"):
            block[1] = block[1].rstrip("\n") + "\n" if block[1].strip() else ""
        elif name in ("td", "th") and block[1] and not block[1].endswith("\n"):
            block[1] += " | "

    def text(self, html: str) -> None:
        block = self.blocks[-1]
        # Between the tags of a list or a table stand line feeds of the engine.
        if block[0] in ("list", "table") and html.strip("\n") == "":
            return
        block[1] += words(html)


def meets(want: list[str], seen: list[str]) -> bool:
    kind, text = want
    if kind == "quote":
        return seen[0] in ("quote", "plain") and text in seen[1]
    if kind == "p":
        return seen[0] == "p" and text in seen[1]
    if kind == "plain":
        return seen[0] == "plain" and seen[1].strip("\n") == text.strip("\n")
    return seen[0] == kind and seen[1].strip() == text.strip()


def problems(page: Page, want: list[list[str]]) -> list[str]:
    found = [f"acts: {what}" for what in page.acts]
    if len(page.blocks) != len(want):
        kinds = [" ".join(block[0] for block in blocks) for blocks in (page.blocks, want)]
        return [*found, f"blocks: {kinds[0]}, not {kinds[1]}"]
    pairs = zip(want, page.blocks, strict=True)
    return found + [f"saw {seen}, not {one}" for one, seen in pairs if not meets(one, seen)]


def main() -> int:
    count = bad = 0
    for line in sys.stdin.buffer:
        document = json.loads(line)
        count += 1
        html = cmark.markdown_to_html_with_extensions(document["text"], options=OPTIONS, extensions=EXTENSIONS)
        found = problems(Page(html), document["blocks"])
        if found:
            bad += 1
            if bad <= SHOWN:
                print(f"cmark-gfm, room {document['number']}", *found, document["text"], sep="\n", end="\n\n")
    print(f"cmark-gfm {cmark.CMARK_VERSION}: {count} documents, {bad} read wrongly")
    return 1 if bad or not count else 0


if __name__ == "__main__":
    sys.exit(main())
