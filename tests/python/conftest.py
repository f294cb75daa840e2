"""What must hold before any test runs."""

import os
import signal
import tempfile

# A shell's background job ignores Ctrl-C, and so would every program the tests start to interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Tables of levels that the user keeps would change what an Elo means.
os.environ["DAMIER_LADDERS"] = tempfile.gettempdir() + "/damier-no-ladders"
