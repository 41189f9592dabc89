"""What pages draw of Cards: templates, style, pictures."""
