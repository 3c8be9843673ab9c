"""Two and three writers of one table: what is left must be what one order of them leaves."""
