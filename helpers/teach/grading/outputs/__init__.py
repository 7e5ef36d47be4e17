"""What becomes of the records: tables, files for an LMS, pages to look at."""
