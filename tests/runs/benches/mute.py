"""Never says a word, as where the driver hangs."""

import time

time.sleep(600)
