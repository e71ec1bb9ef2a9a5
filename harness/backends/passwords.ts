import { randomBytes } from 'node:crypto'

/** A password for an administrator of ours: hexadecimal, so that it needs no escaping anywhere. */
export const randomPassword = (): string => randomBytes(16).toString('hex')
