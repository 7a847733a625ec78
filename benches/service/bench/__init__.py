"""The bench of the service, by its parts."""
