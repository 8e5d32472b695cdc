"""Text -> Spec: what the user wants, with every mistake reported at its line."""
