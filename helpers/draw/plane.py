"""Queries, keys and values of two numbers each, as arrows in the plane."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from helpers.draw.axes import axis_room, draw_axes
from helpers.draw.inputs import numbers
from helpers.draw.palette import ROLE_COLORS, Role
from helpers.draw.scale import reach, tick_step
from helpers.draw.svg import LABEL_SIZE, PAD, Card
from helpers.draw.text import clean, shorten, text_width, wrap

SIDE: Final = 380  # of the square the arrows are drawn in
HEADS: Final[dict[Role, int]] = {"query": 15, "key": 11, "value": 11}  # the length of an arrow head
SHAFTS: Final[dict[Role, float]] = {"query": 4, "key": 2, "value": 2}  # the width of the line
DOT: Final = 4  # the radius of a zero vector
LONGEST_LABEL: Final = 100
LABEL_HEIGHT: Final = 16
LEADER: Final = 28  # from this distance on a line leads from the tip to its label

# Where a label may stand, seen from its arrow: ahead first, then turned to either side (cosine, sine), then farther
# off. Written out, because the last digit of a cosine differs between C libraries, and pictures may not.
_TURNS: Final = (
    (1.0, 0.0),
    (0.866, 0.5),
    (0.866, -0.5),
    (0.5, 0.866),
    (0.5, -0.866),
    (0.0, 1.0),
    (0.0, -1.0),
    (-0.5, 0.866),
    (-0.5, -0.866),
    (-0.866, 0.5),
    (-0.866, -0.5),
)
_DISTANCES: Final = (7, 16, 28, 42, 58, 76, 96, 118)


class Arrow(NamedTuple):
    """One vector of the plane.

    Parameters
    ----------
    x, y : float
        Its two numbers.
    label : str
        Its token, or any text.
    role : {"query", "key", "value"}
        What the vector is used as.
    """

    x: float
    y: float
    label: str
    role: Role


class _Point(NamedTuple):
    x: float
    y: float


class _Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "_Box") -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def inside(self, other: "_Box") -> bool:
        return (
            other.left <= self.left
            and self.right <= other.right
            and other.top <= self.top
            and self.bottom <= other.bottom
        )


class _Shape(NamedTuple):
    """An arrow on the card."""

    arrow: Arrow
    tip: _Point
    ahead: _Point  # a step of one px in its direction
    head: list[_Point]  # the corners of its head, the tip first; none for a dot
    obstacles: list[_Box]  # what labels must not cover
    shaft: list[_Box]  # what they had better not cover


def plane(
    arrows: Sequence[Arrow], *, title: str, description: str, limit: float | None = None, side: int = SIDE
) -> str:
    """Return a picture of vectors as arrows from the origin, as an SVG string.

    The legend under the plane says in words which labels are queries, keys and values.

    Parameters
    ----------
    arrows : sequence of Arrow
        The vectors; a zero vector is drawn as a dot.
    title : str
        What is seen, as a sentence part.
    description : str
        The same for those who do not see the picture.
    limit : float, optional
        Where both axes end, for pictures that share them; by default a little beyond the largest number.
    side : int
        The side of the square the arrows are drawn in, in px.

    Returns
    -------
    str
        The SVG.

    Raises
    ------
    ValueError
        For what cannot be drawn; the message says what to do.
    """
    arrows = _checked(arrows)
    end = reach((c for arrow in arrows for c in (arrow.x, arrow.y)), limit)
    if limit is None:
        half = tick_step(1.15 * end) / 2
        end = math.ceil(round(1.15 * end / half, 6)) * half
    lines = _legend(arrows, side)

    left = PAD + axis_room(end)
    card = Card(left + side + PAD, title=title, description=description)
    top = card.top + 4
    origin = _Point(left + side / 2, top + side / 2)
    frame = _Box(left, top, left + side, top + side)
    shapes = [_shape(arrow, origin, side / 2 / end) for arrow in arrows]

    draw_axes(card, left, top, side, end)
    # The longest first, so that a shorter one on it is seen; of equal ones the query, which is larger and leaves a rim.
    for shape in sorted(
        shapes, key=lambda shape: (-round(math.hypot(shape.arrow.x, shape.arrow.y), 6), shape.arrow.role != "query")
    ):
        _draw_arrow(card, shape, origin)
    axes = [
        [_Box(frame.left, origin.y - 1, frame.right, origin.y + 1)],
        [_Box(origin.x - 1, frame.top, origin.x + 1, frame.bottom)],
    ]
    _draw_labels(card, shapes, frame, axes)
    bottom = frame.bottom + 24
    for role, line in lines:
        bottom += 20
        card.text(frame.left, bottom, line, fill=ROLE_COLORS[role])
    return card.svg(bottom)


def _checked(arrows: Sequence[Arrow]) -> list[Arrow]:
    """Return the arrows with quantized numbers and clean labels, after checking that they can be drawn."""
    rows = [Arrow(*arrow) for arrow in arrows]
    ends = numbers(
        [(arrow.x, arrow.y) for arrow in rows], "values", ndim=2, advice="Pass at least one Arrow(x, y, label, role)."
    )
    for arrow in rows:
        if arrow.role not in ROLE_COLORS:
            roles = ", ".join(map(repr, ROLE_COLORS))
            raise ValueError(f"the role of arrow {arrow.label!r} is {arrow.role!r}; expected one of {roles}.")
    return [Arrow(float(x), float(y), clean(arrow.label), arrow.role) for (x, y), arrow in zip(ends, rows, strict=True)]


def _legend(arrows: list[Arrow], room: int) -> list[tuple[Role, str]]:
    """Return lines such as "keys: Ada, fed, the", each with its role."""
    lines: list[tuple[Role, str]] = []
    for role in ROLE_COLORS:
        labels = [arrow.label for arrow in arrows if arrow.role == role]
        if labels:
            plural = {"query": "queries", "key": "keys", "value": "values"}[role]
            words = f"{role if len(labels) == 1 else plural}: {', '.join(labels)}"
            lines += [(role, line) for line in wrap(words, room, LABEL_SIZE)]
    return lines


def _shape(arrow: Arrow, origin: _Point, scale: float) -> _Shape:
    dx, dy = arrow.x * scale, -arrow.y * scale
    length = math.sqrt(dx * dx + dy * dy)
    if length < 1:
        dot = _around([origin], DOT + 2, DOT + 2)
        return _Shape(arrow, origin, _Point(0.0, -1.0), [], [dot], [])
    tip, ahead = _Point(origin.x + dx, origin.y + dy), _Point(dx / length, dy / length)
    size = min(HEADS[arrow.role], length)
    neck = _Point(tip.x - ahead.x * size, tip.y - ahead.y * size)
    across = _Point(-ahead.y * size * 0.42, ahead.x * size * 0.42)
    head = [tip, _Point(neck.x + across.x, neck.y + across.y), _Point(neck.x - across.x, neck.y - across.y)]
    shaft = [_around([_Point(origin.x + dx * i / 40, origin.y + dy * i / 40)]) for i in range(40)]
    return _Shape(arrow, tip, ahead, head, [_around(head)], shaft)


def _around(points: list[_Point], margin_x: float = 2.0, margin_y: float = 2.0) -> _Box:
    xs, ys = [point.x for point in points], [point.y for point in points]
    return _Box(min(xs) - margin_x, min(ys) - margin_y, max(xs) + margin_x, max(ys) + margin_y)


def _draw_arrow(card: Card, shape: _Shape, origin: _Point) -> None:
    color = ROLE_COLORS[shape.arrow.role]
    if not shape.head:
        card.circle(origin.x, origin.y, DOT, fill=color)
        return
    _, one, other = shape.head
    # To the foot of the head, not to the tip: a thick line would blunt it.
    foot = _Point((one.x + other.x) / 2, (one.y + other.y) / 2)
    card.line(origin.x, origin.y, foot.x, foot.y, stroke=color, stroke_width=SHAFTS[shape.arrow.role])
    card.polygon([(corner.x, corner.y) for corner in shape.head], fill=color)


def _draw_labels(card: Card, shapes: list[_Shape], frame: _Box, axes: list[list[_Box]]) -> None:
    """Write each label where it covers least, and lead a line to those that had to go far."""
    heads = [box for shape in shapes for box in shape.obstacles]
    lines = [*(shape.shaft for shape in shapes), *axes]
    names = [shorten(shape.arrow.label, LONGEST_LABEL, LABEL_SIZE) for shape in shapes]
    boxes: list[_Box] = []
    for shape, name in zip(shapes, names, strict=True):
        box, distance = _place(shape, text_width(name, LABEL_SIZE), frame, [*heads, *boxes], lines)
        boxes.append(box)
        if distance >= LEADER:
            x = min(max(shape.tip.x, box.left), box.right)
            y = min(max(shape.tip.y, box.top), box.bottom)
            card.line(shape.tip.x, shape.tip.y, x, y, stroke=ROLE_COLORS[shape.arrow.role], stroke_dasharray="2 3")
    # After all leading lines, so that the halos keep the words free of them.
    for shape, name, box in zip(shapes, names, boxes, strict=True):
        fill = ROLE_COLORS[shape.arrow.role]
        card.text((box.left + box.right) / 2, box.bottom - 4, name, fill=fill, anchor="middle", halo=True)


def _place(
    shape: _Shape, width: float, frame: _Box, forbidden: list[_Box], lines: list[list[_Box]]
) -> tuple[_Box, int]:
    """Return the cheapest box for a label of this width, and its distance from the tip.

    Leaving the frame costs most, then what it may not cover, then the lines it crosses, then the way from the tip.
    """
    costs: list[tuple[int, _Box, int]] = []
    for far, distance in enumerate(_DISTANCES):
        if any(cost <= 4 * far for cost, _, _ in costs):
            break  # farther off, nothing costs less
        for turned, (cosine, sine) in enumerate(_TURNS):
            dx = cosine * shape.ahead.x - sine * shape.ahead.y
            dy = sine * shape.ahead.x + cosine * shape.ahead.y
            away = distance + (abs(dx) * width + abs(dy) * LABEL_HEIGHT) / 2
            box = _around([_Point(shape.tip.x + dx * away, shape.tip.y + dy * away)], width / 2, LABEL_HEIGHT / 2)
            covered = sum(map(box.overlaps, forbidden))
            crossed = sum(any(map(box.overlaps, line)) for line in lines)
            cost = 10_000 * (not box.inside(frame)) + 1_000 * covered + 6 * crossed + 4 * far + turned
            costs.append((cost, box, distance))
    _, box, distance = min(costs, key=lambda candidate: candidate[0])
    return box, distance
