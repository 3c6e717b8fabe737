"""Programs for maintainers: they refit models and regenerate files that the package ships."""
