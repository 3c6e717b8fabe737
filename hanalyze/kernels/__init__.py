"""What every room of compiled code is built on: records, masks, and the switch to the compiler."""
