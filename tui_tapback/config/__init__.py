"""Where things lie on disk and what the person has set: folders, settings file, secrets."""
