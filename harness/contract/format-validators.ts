/** The string formats of the contract's schemas: what Ajv accepts under each name. Generators are in generate/format-arbitraries.ts. */
import { isIP, isIPv4, isIPv6 } from 'node:net'
import type { Format } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'

// Without a group that is repeated: one of millions of repetitions is more than an expression may remember.
const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
const PEM = /^-----BEGIN ([A-Z0-9 ]+)-----\r?\n[\s\S]*?-----END \1-----\s*/
const SSH_PUBLIC_KEY = /^(?:ssh|ecdsa|sk)-[a-z0-9@.-]+ [A-Za-z0-9+/]+={0,2}(?: .*)?(?:[\r\n]\s*)?$/

const isCidr = (text: string): boolean => {
  const [address = '', bits = '', ...rest] = text.split('/')
  if (rest.length > 0 || !/^\d{1,3}$/.test(bits)) return false
  return (isIPv4(address) && Number(bits) <= 32) || (isIPv6(address) && Number(bits) <= 128)
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const items = (text: string): string[] => text.split(',').map((item) => item.trim())

/**
 * Validators of this contract's own formats. Lenient where servers spell one value in several ways: lists are comma separated with spaces allowed
 * and may be empty.
 */
const contractFormats: Record<string, (text: string) => boolean> = {
  cidr: isCidr,
  'cidr-list': (text) => text === '' || items(text).every(isCidr),
  ip: (text) => isIP(text) !== 0,
  'ip-list': (text) => text === '' || items(text).every((item) => isIP(item) !== 0),
  pem: (text) => PEM.test(text),
  base64: isBase64,
  'json-text': isJson,
  'comma-list': () => true,
  'ssh-public-key': (text) => SSH_PUBLIC_KEY.test(text),
  serial: (text) => /^[0-9a-fA-F]{2}(?:[:-]?[0-9a-fA-F]{2})*$/.test(text),
  rfc3339: (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.test(text) && !Number.isNaN(Date.parse(text)),
}

/** Validators by format name for an Ajv instance: the contract's own and the standard ones (date-time, uuid, uri, hostname, ...). */
export const formatValidators: Record<string, Format> = { ...fullFormats, ...contractFormats }
