"""What a table costs, told: the commands of the analyser, its charts, comparisons and pictures.

The counting itself is in ``tapete.exact``. What is here reads what a person types, asks the counting, and says the
answer in their language, as JSON or as a picture. Nothing here knows a rule.
"""
