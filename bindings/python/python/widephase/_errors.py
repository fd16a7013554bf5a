"""The exceptions of the package."""

from __future__ import annotations

__all__ = ["LimitError", "ShapeError"]


class ShapeError(ValueError):
    """An argument means nothing: a wrong value, dtype, shape or length, or a body that is gone.

    Nothing was changed by the call that raises it.

    Attributes
    ----------
    row : int or None
        The row with the value; ``None`` if it is about no single row.
    field : str or None
        The name of the column or argument.
    value : float or int or None
        The value as it was given.

    Examples
    --------
    >>> import widephase as wp
    >>> try:
    ...     wp.pairs(wp.circles([[0.0, 0.0], [1.0, 1.0]], radius=[1.0, -2.0]))
    ... except wp.ShapeError as error:
    ...     print(error.row, error.field, error.value)
    1 radius -2.0
    """

    row: int | None
    field: str | None
    value: float | None

    def __init__(
        self,
        message: str,
        *,
        row: int | None = None,
        field: str | None = None,
        value: float | None = None,
    ) -> None:
        super().__init__(message)
        self.row = row
        self.field = field
        self.value = value

    def __reduce__(self) -> tuple[object, ...]:
        """Exceptions cross processes (``multiprocessing``) with their attributes."""
        return (_rebuilt, (str(self), self.row, self.field, self.value))


def _rebuilt(
    message: str, row: int | None, field: str | None, value: float | None
) -> ShapeError:
    return ShapeError(message, row=row, field=field, value=value)


class LimitError(RuntimeError):
    """There are more pairs or contacts than ``max_pairs`` or ``max_contacts`` admits."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
