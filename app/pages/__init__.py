"""What people and agents read: the documentation, llms.txt and the page of the OpenAPI document."""
