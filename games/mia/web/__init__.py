"""Page rendering of Mia: templates, styles, pictures."""
