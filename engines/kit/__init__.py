"""What all games share and none owns."""
