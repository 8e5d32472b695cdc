"""From a source of one of the trees to a program that runs on the model."""
