"""Pages of rules: their form, and what their fragments do on the model."""
