/** Certificate revocation lists. */
import type { KeyObject } from 'node:crypto'
import { bits, constructed, integer, sequence, time } from './der.ts'
import { authorityKey, writeExtension } from './extensions.ts'
import { signatureAlgorithm, signWith } from './key-forms.ts'

export interface RevokedEntry {
  serial: Buffer
  /** Seconds since the epoch. */
  at: number
}

/** PEM label that readers of CRLs expect. */
export const CRL_LABEL = 'X509 CRL'
const CRL_NUMBER = '2.5.29.20'

/** A version 2 CRL in DER; `number` grows with every list of one issuer. */
export const makeCrl = (
  issuer: { subject: Buffer; key: KeyObject; keyId: Buffer },
  list: { number: number; issuedAt: number; nextUpdate: number; entries: RevokedEntry[] },
): Buffer => {
  const algorithm = signatureAlgorithm(issuer.key)
  const entries = list.entries.map((entry) => sequence(integer(entry.serial), time(entry.at)))
  const body = sequence(
    integer(1),
    algorithm,
    issuer.subject,
    time(list.issuedAt),
    time(list.nextUpdate),
    ...(entries.length > 0 ? [sequence(...entries)] : []),
    constructed(
      0,
      sequence(
        writeExtension(authorityKey(issuer.keyId)),
        writeExtension({ oid: CRL_NUMBER, critical: false, value: integer(list.number) }),
      ),
    ),
  )
  return sequence(body, algorithm, bits(signWith(issuer.key, body)))
}
