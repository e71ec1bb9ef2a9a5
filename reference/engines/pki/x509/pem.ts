/** PEM text: blocks in, blocks out. */

export interface PemBlock {
  label: string
  bytes: Buffer
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]*)-----END ([A-Z0-9 ]+)-----/g

/** Every block of a text, in order; parameters of EC keys are left out. Text between blocks is ignored. */
export const readPem = (text: string): PemBlock[] =>
  [...text.matchAll(BLOCK)]
    .filter((match) => match[1] === match[3] && match[1] !== 'EC PARAMETERS')
    .map((match) => ({ label: match[1]!, bytes: Buffer.from(match[2]!.replace(/\s+/g, ''), 'base64') }))

/** One block without a final newline. */
export const writePem = (label: string, bytes: Uint8Array): string =>
  [
    `-----BEGIN ${label}-----`,
    ...(Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? []),
    `-----END ${label}-----`,
  ].join('\n')
