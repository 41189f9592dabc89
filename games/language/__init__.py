"""From message ids and facts to sentences, words and reasons in somebody's language."""
