"""What every room of compiled code is built on: the switch to the compiler, and masks."""
