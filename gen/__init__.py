"""crosstree: one operator spec in, the same kernel for three Ascend source trees out."""
