"""Expected values by counting: what a table costs, to the last digit."""
