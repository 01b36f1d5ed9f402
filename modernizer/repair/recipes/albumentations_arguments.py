"""Arguments of albumentations that version 2 joined into ranges and sizes, and those that it ignores with a warning."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.recipes.arguments import accepted
from modernizer.repair.syntax import code, keyword, keyword_names, literal, named, with_args

# By class: the new argument and the old ones it is made of, in order, with their old defaults.
_JOINED: Mapping[str, Mapping[str, tuple[tuple[str, str], ...]]] = {
    "RandomResizedCrop": {"size": (("height", ""), ("width", ""))},
    "RandomSizedCrop": {"size": (("height", ""), ("width", ""))},
    "ImageCompression": {"quality_range": (("quality_lower", "99"), ("quality_upper", "100"))},
    "Downscale": {"scale_range": (("scale_min", "0.25"), ("scale_max", "0.25"))},
    "RandomFog": {"fog_coef_range": (("fog_coef_lower", "0.3"), ("fog_coef_upper", "1"))},
    "RandomRain": {"slant_range": (("slant_lower", "-10"), ("slant_upper", "10"))},
    "RandomSnow": {"snow_point_range": (("snow_point_lower", "0.1"), ("snow_point_upper", "0.3"))},
    "RandomShadow": {"num_shadows_limit": (("num_shadows_lower", "1"), ("num_shadows_upper", "2"))},
    "RandomSunFlare": {
        "angle_range": (("angle_lower", "0"), ("angle_upper", "1")),
        "num_flare_circles_range": (("num_flare_circles_lower", "6"), ("num_flare_circles_upper", "10")),
    },
    "GridDropout": {
        "unit_size_range": (("unit_size_min", ""), ("unit_size_max", "")),
        "holes_number_xy": (("holes_number_x", ""), ("holes_number_y", "")),
        "shift_xy": (("shift_x", "0"), ("shift_y", "0")),
    },
    # A number of holes or a size that has no smallest value is always the largest.
    "CoarseDropout": {
        "num_holes_range": (("min_holes", "max_holes"), ("max_holes", "8")),
        "hole_height_range": (("min_height", "max_height"), ("max_height", "8")),
        "hole_width_range": (("min_width", "max_width"), ("max_width", "8")),
    },
}
_CUTOUT = {"num_holes": "num_holes_range", "max_h_size": "hole_height_range", "max_w_size": "hole_width_range"}
_ORDERS = {
    "RandomResizedCrop": ("height", "width", "scale", "ratio", "interpolation", "always_apply", "p"),
    "RandomSizedCrop": ("min_max_height", "height", "width", "w2h_ratio", "interpolation", "always_apply", "p"),
    "ImageCompression": ("quality_lower", "quality_upper", "compression_type", "always_apply", "p"),
    "CoarseDropout": (
        "max_holes",
        "max_height",
        "max_width",
        "min_holes",
        "min_height",
        "min_width",
        "fill_value",
        "always_apply",
        "p",
    ),
    "Cutout": ("num_holes", "max_h_size", "max_w_size", "fill_value", "always_apply", "p"),
}
_RENAMED = {
    "fill_value": "fill",
    "mask_fill_value": "fill_mask",
    "value": "fill",
    "mask_value": "fill_mask",
    "pad_val": "fill",
    "mask_pad_val": "fill_mask",
    "pad_cval": "fill",
    "pad_cval_mask": "fill_mask",
    "cval": "fill",
    "cval_mask": "fill_mask",
    "pad_mode": "border_mode",
    "image_fill_value": "fill",
}


class _AlbumentationsArguments(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        qualified = self.scope.qualified(original_node.func) or ""
        name = qualified.rpartition(".")[2]
        if (
            not qualified.startswith("albumentations.")
            or not name[:1].isupper()
            or not self.scope.at_least("albumentations", "2.0")
        ):
            return updated_node
        if name == "Cutout":
            return self._cutout(qualified, updated_node)
        accepts = accepted(qualified, self.scope)
        if "p" not in accepts or any(arg.star for arg in updated_node.args):
            return updated_node
        call = _named(updated_node, name) if name in _JOINED and not self._is_new(updated_node, name) else updated_node
        call = self._joined(call, _JOINED.get(name, {}), accepts)
        if name == "GaussNoise":
            call = self._noise(call)
        return self._renamed(call, accepts)

    def _is_new(self, call: cst.Call, name: str) -> bool:
        """Tell whether a call is written for version 2: it gives no argument of the old ones by name and no number first."""
        old = {part for parts in _JOINED[name].values() for part, _ in parts}
        positional = [arg for arg in call.args if arg.keyword is None]
        if keyword_names(call) & old:
            return False
        place = 1 if name == "RandomSizedCrop" else 0
        return len(positional) <= place + 1 or isinstance(positional[place].value, cst.Tuple | cst.List)

    def _joined(self, call: cst.Call, joined: Mapping[str, tuple[tuple[str, str], ...]], accepts: frozenset[str]) -> cst.Call:
        for new, parts in joined.items():
            given = {arg.keyword.value: arg for arg in call.args if arg.keyword}
            old = [name for name, _ in parts if name in given and literal(given[name].value) != "None"]
            gone = [name for name, _ in parts if name in given]
            if not old or new in given or new not in accepts or accepts & {name for name, _ in parts}:
                continue
            values = [_value(name, default, given, dict(parts)) for name, default in parts]
            if not all(values):
                continue
            self.scope.note(f"{', '.join(old)} → {new}")
            made = keyword(new, f"({', '.join(values)})")
            place = given[gone[0]]
            rest = [made.with_changes(comma=place.comma) if arg is place else arg for arg in call.args]
            call = with_args(call, [arg for arg in rest if not (arg.keyword and arg.keyword.value in gone)])
        return call

    def _cutout(self, qualified: str, call: cst.Call) -> cst.Call:
        """Make the holes of Cutout with CoarseDropout, which the library names as its successor."""
        home = f"{qualified.rpartition('.')[0]}.CoarseDropout"
        if self.scope.installed.resolves(qualified) or any(arg.star for arg in call.args):
            return call
        new = home if self.scope.installed.resolves(home) else "albumentations.CoarseDropout"
        given = {arg.keyword.value: arg for arg in _named(call, "Cutout").args if arg.keyword}
        args = [
            keyword(range_, "({0}, {0})".format(code(given[old].value) if old in given else "8"))
            for old, range_ in _CUTOUT.items()
        ]
        args += [arg.with_changes(comma=cst.MaybeSentinel.DEFAULT) for name, arg in given.items() if name not in _CUTOUT]
        self.scope.note("Cutout → CoarseDropout")
        func = cst.parse_expression(self.scope.imported(new))
        return self._renamed(call.with_changes(func=func, args=args), accepted(new, self.scope))

    def _noise(self, call: cst.Call) -> cst.Call:
        """Give noise by its deviation in shares of the range of values, where it was a variance in steps of 255."""
        args = []
        for arg in call.args:
            name, value = arg.keyword.value if arg.keyword else "", arg.value
            if name == "mean" and literal(value) in {"0", "0.0"}:
                continue
            if name == "var_limit":
                pair = isinstance(value, cst.Tuple | cst.List) and len(value.elements) == 2  # noqa: PLR2004 (smallest and largest)
                low, high = [code(element.value) for element in value.elements] if pair else ["0", code(value)]  # type: ignore[attr-defined]
                self.scope.note("var_limit → std_range")
                arg = keyword("std_range", f"({low} ** 0.5 / 255, {high} ** 0.5 / 255)").with_changes(comma=arg.comma)  # noqa: PLW2901 (the same argument)
            args.append(arg)
        return with_args(call, args)

    def _renamed(self, call: cst.Call, accepts: frozenset[str]) -> cst.Call:
        """Rename what fills gaps, and say ``p=1.0`` where a transform was always applied."""
        args = []
        always = False
        for arg in call.args:
            name = arg.keyword.value if arg.keyword else ""
            new = _RENAMED.get(name)
            if name == "always_apply" and name not in accepts and literal(arg.value) in {"True", "False"}:
                always = literal(arg.value) == "True"
                self.scope.note("always_apply → p" if always else "always_apply=False dropped")
                continue
            if new in accepts and name not in accepts:
                if literal(arg.value) == "None":
                    continue
                self.scope.note(f"{name}= → {new}=")
                arg = arg.with_changes(keyword=cst.Name(new))  # noqa: PLW2901 (the same argument)
            args.append(arg)
        if always:
            args = [*(arg for arg in args if not (arg.keyword and arg.keyword.value == "p")), keyword("p", "1.0")]
        return with_args(call, args) if len(args) != len(call.args) or always else call.with_changes(args=args)


def _named(call: cst.Call, name: str) -> cst.Call:
    """Name positional arguments by the old order."""
    order = _ORDERS.get(name, ())
    if sum(arg.keyword is None for arg in call.args) > len(order):
        return call
    return call.with_changes(args=[arg if arg.keyword else named(arg, order[place]) for place, arg in enumerate(call.args)])


def _value(name: str, default: str, given: Mapping[str, cst.Arg], defaults: Mapping[str, str]) -> str:
    """Return the source of an old argument's value, of its default when it isn't given; empty when it has none."""
    if name in given and literal(given[name].value) != "None":
        return code(given[name].value)
    return _value(default, defaults[default], given, defaults) if default in defaults else default


class AlbumentationsArguments(CodemodRecipe):
    """Ranges, sizes and fills of augmentations."""

    name = "albumentations-argument"
    summary = "Albumentations 2 takes ranges and sizes as tuples and ignores the old arguments; the calls keep their meaning."
    since = "albumentations 2.0"
    source = "Albumentations release notes 1.4 and 2.0"
    words = frozenset({"albumentations", "A.", "alb.", "Compose", "Cutout", "Crop", "always_apply"})
    order = 29
    confirmed = True
    codemod = _AlbumentationsArguments


RECIPES = (AlbumentationsArguments(),)
