"""From whatever lies in a folder to a list of submissions: what is there, whose it is, and when it came."""
