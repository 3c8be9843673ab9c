"""Tables that Spark and delta-rs wrote by turns, with values at the odd ends of every type."""
