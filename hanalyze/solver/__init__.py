"""Best play with all cards open: what a deal still allowed, and when it was lost."""
