"""Whatever users have → arrays of float32 or float64 with one axis."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from ._errors import ShapeError

#: Numbers in an array, a list, a column of pandas or Arrow: whatever numpy makes an array of.
Numbers: TypeAlias = npt.ArrayLike
#: Positions as an (n, 2) array, or anything that becomes such an array.
Positions: TypeAlias = npt.ArrayLike
#: A column of float32 or float64.
Column: TypeAlias = npt.NDArray[Any]

_Value = TypeVar("_Value", bound=np.generic)

_FLOAT32 = np.dtype(np.float32)
_FLOAT64 = np.dtype(np.float64)


def numbers(values: Numbers, field: str) -> Column:
    """An array of float32 or float64: the same one if it is one already, else an exact copy."""
    array = values if type(values) is np.ndarray else _converted(values, field)
    dtype = array.dtype
    if dtype == _FLOAT32 or dtype == _FLOAT64:
        if dtype.isnative:
            return array
        return np.array(array, dtype=dtype.newbyteorder("="))
    if dtype.kind in "iu":
        copied = array.astype(np.float64)
        if dtype.itemsize == 8 and not _is_exact(array, copied):
            raise ShapeError(f"{field}: whole numbers from 2^53 on may not be exact", field=field)
        return copied
    if dtype == np.float16:
        return array.astype(np.float32)
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            copied = array.astype(np.float64)
        if not np.array_equal(copied.astype(dtype), array, equal_nan=True):
            raise ShapeError(f"{field}: {dtype} does not fit float64", field=field)
        return copied
    raise ShapeError(f"{field}: expected numbers, not {_kind(values, dtype)}", field=field)


def _kind(values: object, dtype: np.dtype[Any]) -> str:
    """The dtype of an array or a list, else the type of the object."""
    return str(dtype) if np.ndim(values) else type(values).__name__  # type: ignore[arg-type]


def _is_exact(array: npt.NDArray[Any], copied: npt.NDArray[np.float64]) -> bool:
    return array.size == 0 or float(np.abs(copied).max()) < 2.0**53


def _converted(values: Any, field: str) -> npt.NDArray[Any]:
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        row = int(np.argwhere(np.ma.getmaskarray(values))[0][0]) if values.ndim else None
        raise ShapeError(f"{field}: a value is masked", row=row, field=field)
    try:
        array = np.asarray(values)
        if array.dtype.kind == "O" and hasattr(values, "to_numpy"):
            # Nullable columns of pandas: missing values become NaN, which is refused by row.
            series: Any = values
            array = np.asarray(series.to_numpy(dtype=np.float64, na_value=np.nan))
    except ShapeError:
        raise
    except Exception as error:
        raise ShapeError(f"{field}: no array of numbers: {error}", field=field) from error
    return array


def _of_length(
    array: npt.NDArray[_Value], field: str, length: int | None
) -> npt.NDArray[_Value]:
    """An array with one axis; a single value counts for all rows if there is a length."""
    if array.ndim == 0 and length is not None:
        return np.broadcast_to(array, (length,))
    if array.ndim != 1:
        raise ShapeError(f"{field}: expected one axis, not the shape {array.shape}", field=field)
    if length is not None and len(array) != length:
        raise ShapeError(f"{field}: {len(array)} values, expected {length}", field=field)
    return array


def column(values: Numbers, field: str, length: int | None = None) -> Column:
    """A column; a single number counts for all rows if there is a length."""
    return _of_length(numbers(values, field), field, length)


def sized(values: Numbers, field: str, beside: Sequence[Column]) -> Column:
    """A column of sizes beside columns of positions, or one size for all rows.

    A number of Python takes the dtype of the positions, as numpy does it.
    """
    return sized_for(values, field, np.result_type(*beside), len(beside[0]))


def sized_for(values: Numbers, field: str, like: npt.DTypeLike | Column, length: int) -> Column:
    """As :func:`sized`, with the dtype of the positions and the number of rows."""
    if type(values) is float or type(values) is int:
        with np.errstate(over="ignore"):
            values = np.result_type(like).type(values)
    return column(values, field, length)


def two(
    values: Positions, field: str, names: tuple[str, str] | None = None
) -> tuple[Column, Column]:
    """The columns of an (n, 2) array. An empty list is of no rows.

    ``names`` are the arguments that may be passed in its place.
    """
    array = numbers(values, field)
    if array.shape == (0,):
        array = array.reshape(0, 2)
    if array.ndim != 2 or array.shape[1] != 2:
        hint = ""
        if array.ndim == 2 and array.shape[0] == 2:
            hint = ": transpose it"
        elif array.ndim == 1:
            columns = f"pass the columns {names[0]} and {names[1]}, or " if names else ""
            hint = f": {columns}[[x, y]] for one row"
        message = f"{field}: expected the shape (n, 2), not {array.shape}{hint}"
        raise ShapeError(message, field=field)
    return array[:, 0], array[:, 1]


def unsigned(
    values: npt.ArrayLike, field: str, length: int | None = None
) -> npt.NDArray[np.uint32]:
    """Rows or spaces: whole numbers from 0 to 2^32 - 1."""
    array = whole(values, field)
    if array.size > 0 and (int(array.min()) < 0 or int(array.max()) > 0xFFFF_FFFF):
        doubles = array.astype(np.float64).reshape(-1)
        row = int(np.flatnonzero((doubles < 0) | (doubles > 0xFFFF_FFFF))[0])
        value = int(array.reshape(-1)[row])
        raise ShapeError(
            f"{field}: {value} is not from 0 to 2^32 - 1", row=row, field=field, value=value
        )
    return _of_length(array.astype(np.uint32, copy=False), field, length)


def whole(values: npt.ArrayLike, field: str) -> npt.NDArray[Any]:
    """An array of whole numbers; an empty list is such an array."""
    array = values if type(values) is np.ndarray else _converted(values, field)
    if array.size == 0 and array.dtype.kind == "f":
        return array.astype(np.int64)
    if array.dtype.kind not in "iu":
        if isinstance(values, int):
            raise ShapeError(f"{field}: {values} does not fit 64 bits", field=field)
        kind = _kind(values, array.dtype)
        raise ShapeError(f"{field}: expected whole numbers, not {kind}", field=field)
    return array


def not_negative(array: npt.NDArray[Any], field: str) -> npt.NDArray[np.uint64]:
    """Whole numbers as uint64, unless a number is below 0."""
    if array.dtype.kind == "i" and array.size > 0 and int(array.min()) < 0:
        row = int(np.flatnonzero(array.reshape(-1) < 0)[0])
        value = int(array.reshape(-1)[row])
        message = f"{field}: {value} is not from 0 to 2^64 - 1"
        raise ShapeError(message, row=row if array.ndim else None, field=field, value=value)
    return array.astype(np.uint64, copy=False)


def bits(values: npt.ArrayLike, field: str, length: int) -> npt.NDArray[np.uint64]:
    """Masks of 64 bits. Below 0 as in Python: ``~1`` is all bits but the first bit."""
    if type(values) is int:
        values = np.uint64(mask(values, field))
    array = whole(values, field)
    if array.dtype.kind == "i":
        array = array.astype(np.int64).view(np.uint64)
    return spread(array.astype(np.uint64, copy=False), field, length)


def mask(value: int, field: str) -> int:
    """One mask of 64 bits. Below 0 as in Python: ``~1`` is all bits but the first."""
    if not -(2**63) <= value < 2**64:
        raise ShapeError(f"{field}: {value} does not fit 64 bits", field=field, value=value)
    return value & 0xFFFF_FFFF_FFFF_FFFF


def spread(array: npt.NDArray[Any], field: str, length: int) -> npt.NDArray[Any]:
    """A value for each row, from a column or one value."""
    if array.ndim > 1 or (array.ndim == 1 and len(array) != length):
        message = f"{field}: the shape {array.shape}, expected {length} values or one"
        raise ShapeError(message, field=field)
    return np.broadcast_to(array, (length,))


def counted(values: npt.ArrayLike, field: str, total: int, items: str) -> npt.NDArray[np.int64]:
    """How many items each row has: whole numbers from 0, of all items together."""
    counts = whole(values, field).astype(np.int64)
    if counts.ndim != 1:
        raise ShapeError(f"{field}: expected one axis, not {counts.shape}", field=field)
    if counts.size > 0 and int(counts.min()) < 0:
        row = int(counts.argmin())
        value = int(counts[row])
        raise ShapeError(f"{field}: {value}", row=row, field=field, value=value)
    if int(counts.sum()) != total:
        message = f"{field}: {int(counts.sum())} {items}, expected {total}"
        raise ShapeError(message, field=field)
    return counts


def ragged(
    vertices: Any, counts: npt.ArrayLike | None
) -> tuple[Column, Column, npt.NDArray[np.int64]]:
    """The vertices of all rows as two columns, and how many each row has.

    From a sequence of (k, 2) arrays; or from one (total, 2) array and the counts.
    """
    if counts is not None:
        x, y = two(vertices, "vertices")
        return x, y, counted(counts, "counts", len(x), "vertices")
    rings = [_ring(ring) for ring in vertices]
    like = np.result_type(np.float32, *[axis for ring in rings for axis in ring])
    columns = (np.concatenate([np.empty(0, like), *[ring[axis] for ring in rings]]) for axis in (0, 1))
    x, y = columns
    return x, y, np.array([len(ring[0]) for ring in rings], dtype=np.int64)


def _ring(vertices: Positions) -> tuple[Column, Column]:
    """The vertices of one row of a list."""
    array = numbers(vertices, "vertices")
    if array.shape == (2,):
        message = "vertices: expected a list of arrays (k, 2); [vertices] is a list of one"
        raise ShapeError(message, field="vertices")
    return two(array, "vertices")


def pair_list(values: npt.ArrayLike, field: str = "pairs") -> npt.NDArray[np.uint32]:
    """An (n, 2) array of rows."""
    array = whole(values, field)
    if array.shape == (0,):
        array = array.reshape(0, 2)
    if array.ndim != 2 or array.shape[1] != 2:
        raise ShapeError(f"{field}: expected the shape (n, 2), not {array.shape}", field=field)
    return unsigned(array.reshape(-1), field).reshape(-1, 2)


def handle_list(values: npt.ArrayLike, field: str = "handles") -> npt.NDArray[np.uint64]:
    """Handles of a world."""
    array = whole(values, field)
    if array.ndim == 0:
        array = array.reshape(1)
    if array.ndim != 1:
        raise ShapeError(f"{field}: expected one axis, not the shape {array.shape}", field=field)
    return not_negative(array, field)


def number(value: Any, field: str) -> float:
    """One number as float64: of Python, of numpy, or an array without axes."""
    array = numbers(value, field)
    if array.ndim != 0:
        raise ShapeError(f"{field}: expected a number, not the shape {array.shape}", field=field)
    return float(array)


def size(value: Any, field: str) -> float:
    """A distance: a number from 0 to 2^60."""
    distance = number(value, field)
    if not 0.0 <= distance <= 2.0**60:
        message = f"{field}: {distance} is not from 0 to 2^60"
        raise ShapeError(message, field=field, value=distance)
    return distance


def index_of(value: int, argument: str, bits: int = 48) -> int:
    """A number of rows, neighbours or pairs: a whole number from 0 to a power of 2."""
    try:
        number = operator.index(value)
    except TypeError as error:
        message = f"{argument}: expected a whole number, not {type(value).__name__}"
        raise ShapeError(message, field=argument) from error
    if not 0 <= number <= 2**bits:
        message = f"{argument}: {number} is not from 0 to 2^{bits}"
        raise ShapeError(message, field=argument, value=number)
    return number


def limits(max_pairs: int, max_contacts: int) -> tuple[int, int]:
    """The longest lists of a detector or world, in 64 bits."""
    return limit(max_pairs, "max_pairs"), limit(max_contacts, "max_contacts")


def limit(value: int, argument: str) -> int:
    """A number of items, in 64 bits."""
    return min(index_of(value, argument, 64), 2**64 - 1)
