"""Base of all compiled code: records, masks, and the choice between interpreter and compiler."""
