"""Quizzes on Slack."""
