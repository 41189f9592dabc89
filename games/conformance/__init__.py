"""Judges of servers, ours and anybody's: each plays from the outside, by the specs alone."""
