"""Tools of the people who build, test and drive the machine."""
