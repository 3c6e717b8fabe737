"""Sources of logs: files, links and the site hanab.live."""
