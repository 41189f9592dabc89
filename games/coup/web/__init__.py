"""Page rendering of Iron Throne: templates, styles, pictures."""
