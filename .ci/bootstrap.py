"""Makes .venv, or mends it; with --check only says (exit 0 or 1) whether it is ready.

Standard library only. This file keeps to syntax that Python 2.7 can read, so that a Python too
old to run Ridgepoint can still say so; everything else is in environment/.
"""

import os
import sys

OLDEST = (3, 11)
TOO_OLD = (
    "Ridgepoint needs Python %d.%d or newer, and %s is %d.%d: install a newer one, or name it "
    "with 'make PYTHON=/path/to/python serve'.\n"
)

if sys.version_info < OLDEST:
    sys.stderr.write(TOO_OLD % (OLDEST + (sys.executable,) + tuple(sys.version_info[:2])))
    sys.exit(1)

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from environment.main import main

sys.exit(main(sys.argv[1:]))
