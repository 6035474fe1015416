"""Rule files of hookify, read as its own engine reads them."""
