package filmfile

var CheckWhole = checkWhole
