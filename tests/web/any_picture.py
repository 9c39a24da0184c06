"""Pictures of all kinds for properties: any numbers, names and roles."""

from hypothesis import strategies as st

from kernels.lab.pictures import Axis, Bar, Bars, Mark, Plot, Point, Region, Series

ROLES = ("one", "many", "other", "limit", "theory")
names = st.text("abcdefgh WMµ0123456789", min_size=1, max_size=24).filter(str.strip)
measured = st.floats(0, 1e9)
values = st.one_of(measured, st.floats(-10, 10), st.sampled_from([0.0, float("nan"), float("inf")]))
units = st.sampled_from(["", "µs", "B", "×", "GB/s", "FLOP/s"])
points = st.builds(
    Point,
    values,
    values,
    st.none() | values,
    st.none() | values,
    st.one_of(st.just(""), names),
)
series = st.builds(
    Series,
    names,
    st.lists(points, max_size=7).map(tuple),
    st.sampled_from(ROLES),
    st.booleans(),
)
axes = st.builds(Axis, names, units, st.booleans())
plots = st.builds(
    Plot,
    names,
    axes,
    axes,
    st.lists(series, max_size=4).map(tuple),
    st.lists(st.builds(Region, names, st.none() | values, st.none() | values), max_size=3).map(
        tuple
    ),
    st.lists(st.builds(Mark, values, names), max_size=2).map(tuple),
)
bars = st.builds(
    Bars,
    names,
    units,
    st.lists(
        st.builds(
            Bar,
            names,
            values,
            st.none() | values,
            st.none() | values,
            names,
            st.sampled_from(ROLES),
        ),
        max_size=5,
    ).map(tuple),
    st.none() | st.builds(Mark, values, names),
)
