/** Addresses and CIDR blocks of both families. */
import { BlockList, isIP } from 'node:net'

export interface Block {
  address: string
  prefix: number
  family: 'ipv4' | 'ipv6'
}

const familyOf = (address: string): Block['family'] | undefined => ({ 4: 'ipv4', 6: 'ipv6' })[isIP(address)] as Block['family'] | undefined

/** The block that a text such as `10.0.0.0/8` or `2001:db8::/32` names; undefined where it names none. */
export const parseBlock = (text: string): Block | undefined => {
  const parts = /^([^/%]+)\/(\d{1,3})$/.exec(text)
  const family = familyOf(parts?.[1] ?? '')
  const prefix = Number(parts?.[2])
  if (!parts || !family || prefix > (family === 'ipv4' ? 32 : 128)) return undefined
  return { address: parts[1] ?? '', prefix, family }
}

export const isAddress = (text: string): boolean => isIP(text) !== 0 && !text.includes('%')

/** Whether an address lies in a block; addresses of the other family never do. */
export const blockContains = (block: Block, address: string): boolean => {
  if (familyOf(address) !== block.family) return false
  const list = new BlockList()
  list.addSubnet(block.address, block.prefix, block.family)
  return list.check(address, block.family)
}

/** Entries of a comma-separated text, trimmed, without empty ones. */
export const entriesOf = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
