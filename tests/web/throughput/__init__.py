"""How fast a card's page is, beside a bare FastAPI route that answers with the same bytes."""
