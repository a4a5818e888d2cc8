"""The simulator: rounds played by tables alone, as fast as the machine allows, and the same bits wherever it runs."""
