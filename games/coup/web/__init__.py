"""What pages draw of Iron Throne: templates, style, pictures."""
