"""What is wrong with a certificate, in a sentence, and what one can do about it."""

from __future__ import annotations

import ssl

from tui_tapback.domain.errors import GatewayRefused
from tui_tapback.domain.text import clean_line
from tui_tapback.words import _

_EXPIRED = 10
_NOT_YET = 9
_SELF_SIGNED = frozenset({18, 19})
_UNKNOWN_ISSUER = frozenset({2, 20, 21})
_HOST = frozenset({62, 64})
"""Numbers of OpenSSL, the same in all its versions (``X509_V_ERR_…``)."""


def refused_certificate(error: ssl.SSLError, place: str) -> GatewayRefused:
    """For an encrypted connection to ``place`` that was not made."""
    if not isinstance(error, ssl.SSLCertVerificationError):
        what = clean_line(error.reason or _("TLS failed"), 120)
        return GatewayRefused(
            _("The encrypted connection to {place} could not be made: {what}.").format(
                place=place, what=what
            ),
            hint=_("Check whether the address should begin with ws:// or wss://, and its port."),
        )
    code = error.verify_code
    trust = _("Have it trusted here (SSL_CERT_FILE names a file with it), or use an SSH tunnel.")
    if code == _EXPIRED:
        told = _("The certificate of {place} has expired.")
        hint = _("Whoever runs the gateway must renew it; check the clock of this machine as well.")
    elif code == _NOT_YET:
        told = _("The certificate of {place} is not valid yet.")
        hint = _("Check the clock of this machine.")
    elif code in _SELF_SIGNED:
        told = _("The certificate of {place} is signed by nobody that this machine knows.")
        hint = trust
    elif code in _UNKNOWN_ISSUER:
        told = _("The certificate of {place} is signed by an authority that this machine does not know.")
        hint = trust
    elif code in _HOST:
        told = _("The certificate of {place} belongs to another host.")
        hint = _("Check the host in the address; somebody may stand in between.")
    else:
        told = _("The certificate of {place} was not accepted ({reason}).")
        hint = _("Whoever runs the gateway must put it right.")
    reason = clean_line(error.verify_message, 120)
    return GatewayRefused(told.format(place=place, reason=reason), hint=hint)
