"""All SQL: what is asked, answered and owed, in SQLite or PostgreSQL."""
