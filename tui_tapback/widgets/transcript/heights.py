"""The heights of all messages as a Fenwick tree: sum above a message, and message at a line, in log n."""

from __future__ import annotations

from collections.abc import Iterable


class HeightIndex:
    """Heights in rows, each at least 1; indexes count from 0."""

    def __init__(self, heights: Iterable[int] = ()) -> None:
        self._heights = list(heights)
        tree = [0, *self._heights]
        size = len(tree)
        for index in range(1, size):
            parent = index + (index & -index)
            if parent < size:
                tree[parent] += tree[index]
        self._tree = tree

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, index: int) -> int:
        return self._heights[index]

    @property
    def total(self) -> int:
        """Rows of everything."""
        return self.above(len(self._heights))

    def above(self, index: int) -> int:
        """Rows above message ``index``."""
        rows = 0
        tree = self._tree
        while index > 0:
            rows += tree[index]
            index -= index & -index
        return rows

    def set(self, index: int, height: int) -> None:
        """Correct one height."""
        delta = height - self._heights[index]
        if not delta:
            return
        self._heights[index] = height
        tree = self._tree
        index += 1
        while index < len(tree):
            tree[index] += delta
            index += index & -index

    def append(self, height: int) -> None:
        """Add a message at the end."""
        tree = self._tree
        index = len(tree)
        rows = height
        below = index - 1
        stop = index - (index & -index)
        while below > stop:
            rows += tree[below]
            below -= below & -below
        self._heights.append(height)
        tree.append(rows)

    def at(self, row: int) -> tuple[int, int]:
        """The message that covers ``row`` and the row within it; past the end ``(len, rest)``."""
        tree = self._tree
        position = 0
        step = 1 << (len(tree) - 1).bit_length()
        while step:
            following = position + step
            if following < len(tree) and tree[following] <= row:
                position = following
                row -= tree[following]
            step >>= 1
        return position, row
