"""What pages draw of Chamber: templates, style, pictures."""
