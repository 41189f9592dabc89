"""What pages draw of Mia: templates, style, pictures."""
