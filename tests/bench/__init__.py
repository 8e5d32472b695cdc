"""`make bench`: the price of checking, as ratios measured in one run on one machine."""
