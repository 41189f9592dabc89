"""Page rendering of Cards: templates, styles, pictures."""
