"""The request of the client script in Perl, which starts in a third of the time of `curl`.

Debian and most other distributions of Linux have Perl. The request uses no modules, because loading them takes time,
and depends on Linux's form of socket addresses.
"""

from __future__ import annotations

from urllib.parse import urlsplit

PERL = "/usr/bin/perl"
"""Not the first `perl` on the PATH, which a version manager may have replaced by a slow script."""
NO_ANSWER = 7
"""The exit status if the server does not answer. With other statuses, the input of the hook was not read."""

_REQUEST = r""": <<'__END__'
#!perl
$/ = undef;
binmode STDIN;
binmode STDOUT;
my $body = <STDIN>;
$body = '' unless defined $body;
$SIG{ALRM} = sub { exit @no_answer@ };
$SIG{PIPE} = 'IGNORE';
alarm @seconds@;
socket(my $server, 2, 1, 0) or exit @no_answer@;
connect($server, pack('S n C4 x8', 2, @port@, @host@)) or exit @no_answer@;
my $request = "POST @path@/$ARGV[0] HTTP/1.0\r\nHost: @authority@\r\nContent-Length: " . length($body) . "\r\n"
  . 'Authorization: @authorization@' . "\r\n" . (length $ARGV[1] ? '@denies@' . "\r\n" : '') . "\r\n" . $body;
my $sent = 0;
while ($sent < length $request) {
  $sent += syswrite($server, $request, length($request) - $sent, $sent) || exit @no_answer@;
}
my $answer = '';
while (sysread($server, $answer, 65536, length $answer) // exit @no_answer@) {}
my ($head, $text) = split /\r\n\r\n/, $answer, 2;
$head =~ m{^HTTP/1\.\d 200 } && $head =~ /^content-length: *(\d+)/mi && $1 == length $text or exit @no_answer@;
print "$text\n";
close STDOUT or exit @no_answer@;
__END__
"""


def perl_request(url: str, authorization: str, denies: str, seconds: int) -> str:
    """Returns the text that `perl -x` finds in the script. It prints the answer of the server, or nothing.

    Its arguments are the agent, and a text that is not blank if the header `denies` is sent. `sh` ignores it.
    """
    address = urlsplit(url)
    values = {
        "no_answer": str(NO_ANSWER),
        "seconds": str(seconds),
        "port": str(address.port),
        "host": (address.hostname or "").replace(".", ", "),
        "path": address.path,
        "authority": address.netloc,
        "authorization": _quoted(authorization),
        "denies": _quoted(denies),
    }
    text = _REQUEST
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'")
