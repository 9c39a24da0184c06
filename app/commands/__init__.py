"""The commands of `ridgepoint`, one file each."""
