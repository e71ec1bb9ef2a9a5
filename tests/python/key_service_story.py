"""Asks a key service of provider a this and that, and prints what it answers. Its place comes as JSON on standard input."""

import hashlib
import json
import sys

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding
from cryptography.hazmat.primitives.serialization import load_der_public_key

RSA = ["RSASSA_%s_SHA_%d" % (kind, size) for kind in ("PKCS1_V1_5", "PSS") for size in (256, 384, 512)]
SPECS = {
    "RSA_2048": RSA,
    "RSA_3072": RSA,
    "ECC_NIST_P256": ["ECDSA_SHA_256"],
    "ECC_NIST_P384": ["ECDSA_SHA_384"],
    "ECC_NIST_P521": ["ECDSA_SHA_512"],
}
HASHES = {"256": hashes.SHA256, "384": hashes.SHA384, "512": hashes.SHA512}
MESSAGE = b"a message"


def verifies(der, algorithm, signature):
    key, digest = load_der_public_key(der), HASHES[algorithm[-3:]]()
    if algorithm.startswith("ECDSA"):
        key.verify(signature, MESSAGE, ec.ECDSA(digest))
    elif "PSS" in algorithm:
        key.verify(signature, MESSAGE, padding.PSS(padding.MGF1(digest), padding.PSS.DIGEST_LENGTH), digest)
    else:
        key.verify(signature, MESSAGE, padding.PKCS1v15(), digest)
    return True


def error(call):
    try:
        call()
        return "none"
    except ClientError as refused:
        return refused.response["Error"]["Code"]


def story(kms, other):
    told = {}
    for spec, algorithms in SPECS.items():
        made = kms.create_key(KeySpec=spec, KeyUsage="SIGN_VERIFY")["KeyMetadata"]
        told[spec] = {
            name: made.get(name) for name in ("KeySpec", "KeyUsage", "SigningAlgorithms", "KeyState", "Enabled", "KeyManager", "Origin")
        }
        told[spec]["SigningAlgorithms"] = sorted(told[spec]["SigningAlgorithms"] or [])
        alias = "alias/" + spec.lower().replace("_", "-")
        kms.create_alias(AliasName=alias, TargetKeyId=made["KeyId"])
        told[spec]["described by alias"] = kms.describe_key(KeyId=alias)["KeyMetadata"]["KeyId"] == made["KeyId"]
        shown = kms.get_public_key(KeyId=made["Arn"])
        told[spec]["public key"] = [shown["KeySpec"], shown["KeyUsage"], sorted(shown["SigningAlgorithms"])]
        for algorithm in algorithms:
            digest = hashlib.new("sha" + algorithm[-3:], MESSAGE).digest()
            for kind, text in (("RAW", MESSAGE), ("DIGEST", digest)):
                signed = kms.sign(KeyId=alias, Message=text, MessageType=kind, SigningAlgorithm=algorithm)
                told[spec][algorithm + " " + kind] = [
                    signed["SigningAlgorithm"],
                    signed["KeyId"] == made["Arn"],
                    verifies(shown["PublicKey"], algorithm, signed["Signature"]),
                ]
            told[spec][algorithm + " verified"] = kms.verify(
                KeyId=alias, Message=MESSAGE, MessageType="RAW", SigningAlgorithm=algorithm, Signature=signed["Signature"]
            )["SignatureValid"]
    key = "alias/ecc-nist-p256"
    told["errors"] = {
        "unknown key": error(lambda: kms.get_public_key(KeyId="00000000-0000-4000-8000-000000000000")),
        "unknown alias": error(lambda: kms.sign(KeyId="alias/unknown", Message=MESSAGE, SigningAlgorithm="ECDSA_SHA_256")),
        "other algorithm": error(lambda: kms.sign(KeyId=key, Message=MESSAGE, SigningAlgorithm="ECDSA_SHA_384")),
        "alias twice": error(lambda: kms.create_alias(AliasName=key, TargetKeyId=kms.describe_key(KeyId=key)["KeyMetadata"]["KeyId"])),
        "alias of an unknown key": error(
            lambda: kms.create_alias(AliasName="alias/new", TargetKeyId="00000000-0000-4000-8000-000000000000")
        ),
        "short digest": error(lambda: kms.sign(KeyId=key, Message=b"short", MessageType="DIGEST", SigningAlgorithm="ECDSA_SHA_256")),
        "wrong signature": error(
            lambda: kms.verify(
                KeyId=key,
                Message=b"another",
                SigningAlgorithm="ECDSA_SHA_256",
                Signature=kms.sign(KeyId=key, Message=MESSAGE, SigningAlgorithm="ECDSA_SHA_256")["Signature"],
            )
        ),
        "another region": error(lambda: other.get_public_key(KeyId=key)),
    }
    return told


place = json.load(sys.stdin)
to_proxy = {"proxies": {"https": place["proxy"]}} if "proxy" in place else {}


def service(region):
    return boto3.client(
        "kms",
        region_name=region,
        endpoint_url=place.get("endpoint"),
        verify=place.get("caFile"),
        config=Config(retries={"max_attempts": 0}, **to_proxy),
        aws_access_key_id=place["id"],
        aws_secret_access_key=place["secret"],
    )


print(json.dumps(story(service("eu-west-1"), service("us-east-1"))))
