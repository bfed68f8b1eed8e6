"""Who answers: the turn loop, the model providers, the offline companion, and the ``send_message`` tool."""
