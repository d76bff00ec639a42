"""The state token: a run at rest, sealed where it must be and signed as a whole.

    token   = base64url(payload) "." base64url(signature)
    payload = layout (1 byte) + sealed length (1 byte) + sealed + open part

The signature is itsdangerous' (HMAC with SHA-256), salted with the game's slug, so that a token of one game is none of
another's. The open part is compact JSON, ``[game version, saved state]``, deflated where that is shorter. Sealed is
what shapes the run's future, under AES-SIV with a key derived from the same secret and bound to the game and the open
part. Neither has a timestamp or a nonce: the same run always gives the same bytes.

Of several secrets the first seals and signs and every one opens, so a secret can be replaced without losing a run.
"""

import hashlib
import hmac
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import orjson
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from itsdangerous import BadData, Signer
from itsdangerous.encoding import base64_decode, base64_encode
from itsdangerous.signer import SigningAlgorithm

from engines.kit.game import Saved

_PLAIN, _DEFLATED = 1, 2
"""The layouts that this server writes and reads: how the open part is stored."""

_WORTH_DEFLATING = 200
"""Bytes below which deflating an open part is not even tried: so short a text hardly shrinks."""

_LARGEST = 65_536
"""Bytes to which an open part is inflated at most. The signature was checked before, so this is a second belt."""


class BadToken(Exception):
    """A token that this server did not make, or no longer takes. The message says which; it never quotes the token."""


class _Keyed(SigningAlgorithm):
    """HMAC with SHA-256 under one key, which is set up once: the same signatures as itsdangerous' own algorithm."""

    def __init__(self, key: bytes) -> None:
        self._keyed = hmac.new(key, digestmod="sha256")

    def get_signature(self, key: bytes, value: bytes) -> bytes:
        del key
        signing = self._keyed.copy()
        signing.update(value)
        return signing.digest()


@dataclass(frozen=True, slots=True)
class _Key:
    """All that one secret does for one game."""

    signer: Signer
    seal: AESSIV


def _signer(secret: str, salt: bytes) -> Signer:
    """A signer whose key, which itsdangerous would derive from secret and salt for every token, is derived once."""
    key = Signer(secret, salt=salt, digest_method=hashlib.sha256).derive_key()
    return Signer(key, key_derivation="none", algorithm=_Keyed(key))


class Tokens:
    """Writes and opens the tokens of one game.

    `secrets` are texts, the newest first; `slug` and `version` the game's.
    """

    def __init__(self, secrets: Sequence[str], slug: str, version: int) -> None:
        self._slug = slug.encode()
        self._version = version
        self._keys = [
            _Key(
                _signer(secret, b"gameboard.token." + self._slug),
                AESSIV(HKDF(SHA256(), length=64, salt=None, info=b"gameboard.seal").derive(secret.encode())),
            )
            for secret in secrets
        ]

    def write(self, saved: Saved) -> str:
        """The one token of a run."""
        key = self._keys[0]
        plain = orjson.dumps([self._version, saved.open])
        sealed = key.seal.encrypt(saved.secret, [self._slug, plain])
        layout, stored = _stored(plain)
        return key.signer.sign(base64_encode(bytes((layout, len(sealed))) + sealed + stored)).decode("ascii")

    def open(self, token: str) -> Saved:
        """The run in a token. Raises `BadToken`."""
        value, key = self._verified(token)
        try:
            sealed, plain = _parts(base64_decode(value))
            version, saved = orjson.loads(plain)
        except (BadData, IndexError, TypeError, ValueError, zlib.error):
            version = None
        if type(version) is not int:
            raise BadToken("The token was signed with a secret of this server, but holds no run. Start a new one.")
        if version != self._version:
            raise BadToken(
                f"The token was made by version {version} of this game and this server plays version {self._version}, "
                "whose puzzles are others. Start a new run."
            )
        try:
            return Saved(saved, key.seal.decrypt(sealed, [self._slug, plain]))
        except InvalidTag:
            raise BadToken("The seal of the token does not open. Start a new run.") from None

    def made(self, token: str) -> bool:
        """Whether one of these keys signed the token, whatever is in it."""
        try:
            self._verified(token)
        except BadToken:
            return False
        return True

    def _verified(self, token: str) -> tuple[bytes, _Key]:
        """The signed part and the key that signed it.

        itsdangerous decodes a signature leniently, so that many spellings pass its check; only the one that it writes
        itself is taken here. The signed part has no such freedom, as the signature covers its text.
        """
        value, dot, signature = token.encode("utf-8").rpartition(b".")
        if not dot:
            raise BadToken("This is no state token: one has two parts with a dot between. Send it back as it came.")
        try:
            canonical = base64_encode(base64_decode(signature)) == signature
        except BadData:
            canonical = False
        if canonical:
            for key in self._keys:
                if key.signer.verify_signature(value, signature):
                    return value, key
        raise BadToken(
            "The signature of the token does not hold: it was altered or cut on the way, or made with another secret. "
            "Send it back exactly as it came, or start a new run."
        )


def _parts(payload: bytes) -> tuple[bytes, bytes]:
    """What is sealed in a payload, and its open part."""
    layout, size = payload[0], payload[1]
    if layout not in (_PLAIN, _DEFLATED):
        raise BadToken(f"The token has the layout {layout}, which this server does not read. Start a new run.")
    sealed, stored = payload[2 : 2 + size], payload[2 + size :]
    plain = zlib.decompressobj(wbits=-15).decompress(stored, _LARGEST) if layout == _DEFLATED else stored
    return sealed, plain


def _stored(plain: bytes) -> tuple[int, bytes]:
    """The layout and the bytes of an open part: deflated if that is shorter."""
    if len(plain) < _WORTH_DEFLATING:
        return _PLAIN, plain
    deflate = zlib.compressobj(level=9, wbits=-15)
    small = deflate.compress(plain) + deflate.flush()
    return (_DEFLATED, small) if len(small) < len(plain) else (_PLAIN, plain)
