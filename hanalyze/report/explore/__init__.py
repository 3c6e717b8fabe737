"""The page of `hanalyze explore`: any metric, by any dimensions, for any filters."""
