"""What clients of provider c do: accounts, keys and signatures. The project comes as JSON on standard input."""

import base64
import hashlib
import json
import sys

import requests
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from google.api_core.exceptions import GoogleAPICallError
from google.auth.exceptions import RefreshError
from google.auth.transport.requests import AuthorizedSession, Request
from google.cloud import kms
from google.oauth2 import service_account

given = json.load(sys.stdin)
credentials = service_account.Credentials.from_service_account_info(given["credentials"])
client = kms.KeyManagementServiceClient(credentials=credentials, transport="rest")
ring = client.create_key_ring(
    request={"parent": "projects/%s/locations/europe-west1" % given["id"], "key_ring_id": "ring", "key_ring": {}}
).name
told = []
Algorithm = kms.CryptoKeyVersion.CryptoKeyVersionAlgorithm
for name, hasher, check in (
    ("EC_SIGN_P384_SHA384", "sha384", lambda key, sig: key.verify(sig, b"a message", ec.ECDSA(hashes.SHA384()))),
    (
        "RSA_SIGN_PSS_2048_SHA256",
        "sha256",
        lambda key, sig: key.verify(sig, b"a message", padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256()),
    ),
):
    key = client.create_crypto_key(
        request={
            "parent": ring,
            "crypto_key_id": name,
            "crypto_key": {"purpose": kms.CryptoKey.CryptoKeyPurpose.ASYMMETRIC_SIGN, "version_template": {"algorithm": Algorithm[name]}},
        }
    ).name
    version = key + "/cryptoKeyVersions/1"
    signed = client.asymmetric_sign(request={"name": version, "digest": {hasher: hashlib.new(hasher, b"a message").digest()}})
    public = client.get_public_key(request={"name": version})
    check(load_pem_public_key(public.pem.encode()), signed.signature)
    told.append([client.get_crypto_key(request={"name": key}).version_template.algorithm.name, public.algorithm.name])


def refused(call):
    try:
        call()
        return "no"
    except GoogleAPICallError as error:
        return type(error).__name__


told.append(refused(lambda: client.get_crypto_key(request={"name": ring + "/cryptoKeys/absent"})))
told.append(
    refused(
        lambda: client.create_crypto_key(
            request={"parent": ring + "x", "crypto_key_id": "k", "crypto_key": {"purpose": 5, "version_template": {"algorithm": 12}}}
        )
    )
)

# An account and its key log in until the key is deleted.
scopes = ["https://www.googleapis.com/auth/cloud-platform"]
session = AuthorizedSession(credentials.with_scopes(scopes))
iam = "https://iam.googleapis.com/v1/"
account = session.post(iam + "projects/%s/serviceAccounts" % given["id"], json={"accountId": "a-client"}).json()
key = session.post(iam + account["name"] + "/keys", json={}).json()
file = json.loads(base64.b64decode(key["privateKeyData"]))


def login():
    own = service_account.Credentials.from_service_account_info(file, scopes=scopes)
    try:
        own.refresh(Request())
        return requests.get("https://oauth2.googleapis.com/tokeninfo", params={"access_token": own.token}).json()["email"]
    except RefreshError as error:
        return error.args[1]["error"]


told.append(login() == account["email"])
session.delete(iam + key["name"])
told.append(login())
print(json.dumps(told))
