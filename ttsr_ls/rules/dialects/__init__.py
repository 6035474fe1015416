"""Rules of the other dialects that fire: pi-ttsr, and oh-my-pi before `condition`."""
