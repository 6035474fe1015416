"""Rule files of hookify, read as hookify's own engine reads them."""
