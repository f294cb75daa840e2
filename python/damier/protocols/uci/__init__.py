"""The Universal Chess Interface (Stefan Meyer-Kahlen, 2006) for every game damier knows: `UciServer`, `UciEngine`."""
