// replaced by the application
