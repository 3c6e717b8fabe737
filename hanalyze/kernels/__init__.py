"""The base of all compiled code: records, masks, and the switch to the compiler."""
