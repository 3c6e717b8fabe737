"""Palette of the pages, and shapes and colours of suits, for a light and a dark theme.

Pages follow the system's theme; `data-theme="light"` or `"dark"` on the root element overrides it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

FONT: Final = 'Inter, "Segoe UI", system-ui, -apple-system, "Helvetica Neue", Arial, sans-serif'

PALETTE: Final[Mapping[str, tuple[str, str]]] = {
    "page": ("#F6F5F1", "#131311"),
    "panel": ("#FFFFFF", "#1C1C19"),
    "raised": ("#FAF9F6", "#242421"),
    "rule": ("#DDD9CF", "#3A3933"),
    "faint": ("#ECE9E1", "#2B2A26"),
    "ink1": ("#1E1D1A", "#ECEAE3"),
    "ink2": ("#57534A", "#BAB6AB"),
    "ink3": ("#6F6A5F", "#98948A"),
    "good": ("#0B6B7A", "#57C5D3"),
    "good-tint": ("#E0F1F3", "#12303A"),
    "warn": ("#8F6200", "#E5B64B"),
    "warn-tint": ("#FBF1DC", "#332A14"),
    "bad": ("#A8123E", "#FF8B78"),
    "bad-tint": ("#FBE6EB", "#381F1B"),
    "focus": ("#1A66D0", "#7FB2FF"),
    "unknown": ("#EFEDE6", "#2A2A26"),
    "shadow": ("0 1px 2px rgba(40,36,25,.06), 0 4px 14px rgba(40,36,25,.05)", "none"),
}
"""Colours by role, as (light, dark); the CSS variables have the names of the roles, such as `--page`."""

INK_ON_TINT: Final = 6.0
TEXT_ON_SOLID: Final = 4.5
"""Minimum contrast ratios of text on the `tint` and on the `solid` of a suit."""

SHAPES: Final = ("diamond", "star", "triangle", "disc", "plus", "chevron")
"""Shapes for suits without a fixed shape, assigned by the suit's position in the variant."""


@dataclass(frozen=True, slots=True)
class SuitStyle:
    """Shape and colours of a suit, each colour as (light, dark).

    `tint` and `solid` are backgrounds, with text in the colours `ink` and `text`. A striped background is a
    CSS gradient; drawings use the colour `flat` instead of `solid`. If `outlined`, the `solid` needs an edge.
    """

    shape: str
    tint: tuple[str, str]
    ink: tuple[str, str]
    solid: tuple[str, str]
    text: tuple[str, str]
    flat: tuple[str, str]
    outlined: bool = False


def _channels(colour: str) -> tuple[float, ...]:
    return tuple(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))


def _luminance(colour: str) -> float:
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in _channels(colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours `#RRGGBB`, 1 to 21, as defined by WCAG 2.

    >>> round(contrast("#FFFFFF", "#000000"))
    21
    """
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def mixed(colour: str, other: str, share: float) -> str:
    """Return a mix of two colours; `share` is that of the other colour, 0 to 1.

    >>> mixed("#000000", "#FFFFFF", 0.5)
    '#808080'
    """
    pairs = zip(_channels(colour), _channels(other), strict=True)
    return "#" + "".join(f"{round(255 * (a + (b - a) * share)):02X}" for a, b in pairs)


def _readable(colour: str, ground: str, toward: str, least: float) -> str:
    """Mix `toward` into a colour, in steps of 4%, until its contrast with `ground` is at least `least`."""
    share = 0.0
    while contrast(moved := mixed(colour, toward, share), ground) < least and share < 1:
        share += 0.04
    return moved


def _both(value: str) -> tuple[str, str]:
    return value, value


def _plain(shape: str, light: str, dark: str, text: str = "#FFFFFF", outlined: bool = False) -> SuitStyle:
    """Return a style from the strings "tint ink solid" for the light and the dark theme."""
    (tint, ink, solid), (tint_dark, ink_dark, solid_dark) = light.split(), dark.split()
    flat = (solid, solid_dark)
    return SuitStyle(shape, (tint, tint_dark), (ink, ink_dark), flat, _both(text), flat, outlined)


_RAINBOW: Final = ("#C8372D", "#F0C419", "#24803F", "#2F6FD0", "#6D2E9E")
_INK: Final = PALETTE["ink1"]


def _stripes(colours: Iterable[str]) -> str:
    return f"linear-gradient(115deg, {', '.join(colours)})"


def _striped(shape: str) -> SuitStyle:
    tints = (
        _stripes(mixed(colour, "#FFFFFF", 0.78) for colour in _RAINBOW),
        _stripes(mixed(colour, "#161614", 0.72) for colour in _RAINBOW),
    )
    solids = _both(_stripes(mixed(colour, "#FFFFFF", 0.52) for colour in _RAINBOW))
    return SuitStyle(shape, tints, _INK, solids, _both("#1E1D1A"), _both("#E4DCE6"), True)


_NEUTRAL: Final = ("#F1F1EF #4A4A48 #FFFFFF", "#30302E #E8E8E4 #F2F2EF")

_STYLES: Final = {
    "Red": _plain("diamond", "#FBE4E0 #A3231A #C8372D", "#3B1D1A #FF9F93 #CC4034"),
    "Yellow": _plain("star", "#FFF1B8 #6B4F00 #F0C419", "#362C0A #F4D052 #F0C419", "#332600"),
    "Green": _plain("triangle", "#DCF1DF #17602F #24803F", "#15311E #83D99B #268244"),
    "Blue": _plain("disc", "#DEE9FB #1B4B9B #2F6FD0", "#172A4D #96BDFF #3270D0"),
    "Purple": _plain("plus", "#F0E1F6 #64268F #6D2E9E", "#331B40 #DBA6F7 #8B3FA8"),
    "Teal": _plain("chevron", "#D5F0EE #0B5A58 #0F7A76", "#0E312F #6FD6D0 #12807B"),
    "Pink": _plain("heart", "#FCE1EF #96205F #C23583", "#3B1A2C #FF9FCB #C93F8B"),
    "White": _plain("crescent", *_NEUTRAL, "#1E1D1A", outlined=True),
    "Gray": _plain("crescent", "#DFDFDC #3A3A38 #8F8F8B", "#262624 #D5D5D0 #9A9A95", "#131311"),
    "Black": _plain("square", "#DAD9D6 #232321 #2B2B29", "#0C0C0B #C9C7C0 #000000", outlined=True),
    "Brown": _plain("bars", "#F0E4D8 #6A3F16 #8A5522", "#33241A #E0B084 #8A5522"),
    "Null": _plain("ring", *_NEUTRAL, "#1E1D1A", outlined=True),
    "Prism": _plain("prism", *_NEUTRAL, "#1E1D1A", outlined=True),
    "Rainbow": _striped("ring"),
    "Omni": _striped("target"),
}
"""Styles by suit name; styles of other suits are derived from their colour in `_FILLS`, or from grey."""

# fmt: off
_FILLS: Final = {
    "Ruby": "#A01547", "Tomato": "#E0523D", "Mahogany": "#8C2F23", "Carrot": "#D96C1E",
    "Emerald": "#1F9A5B", "Olive": "#6F7B1C", "Berry": "#5B53C9", "Navy": "#24407F", "Sky": "#3E9BDC",
    "Ice": "#9CCBE6", "Aqua": "#2AA7B5", "Ocean": "#1C5F86", "Tangerine": "#E98A15", "Peach": "#EFA083",
    "Yam": "#B5591F", "Gold": "#B99A1B", "Violet": "#8A4FD0", "Magenta": "#B32FA8", "Cardinal": "#9B1B4B",
    "Maroon": "#6B1420", "Lime": "#8FBF26", "Jungle": "#3F8F2B", "Jade": "#2E9C7B", "Tan": "#B79A6A",
    "Cyan": "#22A2C4", "Indigo": "#4338A8", "Cobalt": "#1F3F8F", "Geas": "#9A8A2E", "Beatnik": "#7A7F3A",
    "Plum": "#7A3A63", "Taupe": "#7D7468", "Muddy Rainbow": "#8A6A4A", "Cocoa Rainbow": "#5E4229",
    "Light Pink": "#EFA8CB", "Gray Pink": "#B58AA0", "Orange": "#E87A1B", "Dark Orange": "#A9530B",
    "Dark Pink": "#8E1F5D", "Dark Brown": "#5A3512", "Dark Prism": "#6E6E78", "Dark Null": "#77777A",
}
# fmt: on


def _derived_style(fill: str, shape: str) -> SuitStyle:
    tint = (mixed(fill, "#FFFFFF", 0.84), mixed(fill, "#131311", 0.76))
    ink = (_readable(fill, tint[0], "#000000", INK_ON_TINT), _readable(fill, tint[1], "#FFFFFF", INK_ON_TINT))
    text = max(("#FFFFFF", "#1A1917"), key=lambda one: contrast(one, fill))
    solid = _readable(fill, text, "#FFFFFF" if text != "#FFFFFF" else "#000000", TEXT_ON_SOLID)
    return SuitStyle(shape, tint, ink, _both(solid), _both(text), _both(solid))


def suit_style(name: str, position: int = 0) -> SuitStyle:
    """Return the style of a suit or clue colour; `position` in the variant chooses a shape if none is fixed.

    >>> suit_style("Red").shape, suit_style("Red Reversed").shape, suit_style("Ruby", 2).shape
    ('diamond', 'diamond', 'triangle')
    """
    name = name.removesuffix(" Reversed").removesuffix(" EA")
    if name.removeprefix("Dark ") in ("Rainbow", "Omni"):
        return _STYLES[name.removeprefix("Dark ")]
    if name in _STYLES:
        return _STYLES[name]
    return _derived_style(_FILLS.get(name, "#7D7468"), SHAPES[position % len(SHAPES)])


def suit_styles(names: Sequence[str]) -> list[SuitStyle]:
    """Return the styles of a variant's suits in order."""
    return [suit_style(name, position) for position, name in enumerate(names)]


def suit_css(styles: Sequence[SuitStyle], prefix: str = "s") -> str:
    """Return CSS variables for styles; for style 0 `--s0-tint`, `-ink`, `-solid`, `-text`, `-flat`, `-edge`.

    `prefix` replaces the `s` of the names.
    """

    def values(theme: int) -> dict[str, str]:
        variables = {}
        for number, style in enumerate(styles):
            start = f"{prefix}{number}"
            for role in ("tint", "ink", "solid", "text", "flat"):
                variables[f"{start}-{role}"] = getattr(style, role)[theme]
            variables[f"{start}-edge"] = PALETTE["ink3"][theme] if style.outlined else style.flat[theme]
        return variables

    return _themed(values(0), values(1))


def suit_classes(count: int, name: str, variables: str, inside: str = "") -> str:
    """Return CSS classes `name` + number that give short names (`--t`, ...) to the variables of `suit_css`.

    `variables` is the prefix of the variables; `inside` is a selector for the enclosing elements.
    """
    short = {"t": "tint", "i": "ink", "s": "solid", "x": "text", "f": "flat", "e": "edge"}
    parts = []
    for number in range(count):
        values = "".join(f"--{key}:var(--{variables}{number}-{role});" for key, role in short.items())
        parts.append(f"{inside}.{name}{number}{{{values}}}\n")
    return "".join(parts)


def theme_css() -> str:
    """Return CSS variables for `PALETTE` and the font (`--font`)."""
    light, dark = ({name: pair[theme] for name, pair in PALETTE.items()} for theme in (0, 1))
    return _themed({**light, "font": FONT}, dark)


def _themed(light: Mapping[str, str], dark: Mapping[str, str]) -> str:
    def rules(values: Mapping[str, str], scheme: str) -> str:
        return f"color-scheme:{scheme};" + "".join(f"--{name}:{value};" for name, value in values.items())

    return (
        f":root{{{rules(light, 'light')}}}\n"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{rules(dark, 'dark')}}}}}\n"
        f":root[data-theme=dark]{{{rules(dark, 'dark')}}}\n"
    )
