"""What must hold before any test runs."""

import signal

# A shell's background job ignores Ctrl-C, and so would every program the tests start to interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
