"""Page rendering of Chamber: templates, styles, pictures."""
