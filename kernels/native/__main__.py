"""`python -m kernels.native`: build the extension that starts the kernels from C++."""

import sys

from kernels.native.build import BuildError, build


def main() -> int:
    """Build it and say where it is; 1, with a sentence, where it can't be built."""
    try:
        print(f"The chain's kernels are started from C++, by {build()}")
    except BuildError as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
