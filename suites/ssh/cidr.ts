/** CIDR arithmetic of the suite's own, on whole numbers: what a role's blocks must contain. */
import type { Random } from '../../harness/checks/index.ts'

export interface Network {
  family: 4 | 6
  /** First address, as a number. */
  first: bigint
  prefix: number
}

const WIDTH = { 4: 32, 6: 128 } as const

const size = ({ family, prefix }: Network): bigint => 1n << BigInt(WIDTH[family] - prefix)

export const contains = (network: Network, family: 4 | 6, address: bigint): boolean =>
  network.family === family && address >= network.first && address < network.first + size(network)

/** An address as text; IPv6 in full length. */
export const addressText = (family: 4 | 6, address: bigint): string => {
  const hex = address.toString(16).padStart(WIDTH[family] / 4, '0')
  if (family === 4) return [...hex.matchAll(/../g)].map(([byte]) => Number.parseInt(byte, 16)).join('.')
  return [...hex.matchAll(/..../g)].map(([group]) => group.replace(/^0{1,3}/, '')).join(':')
}

export const networkText = ({ family, first, prefix }: Network): string => `${addressText(family, first)}/${prefix}`

const numberFrom = (random: Random, bits: number): bigint => BigInt(`0x${Buffer.from(random.bytes(bits / 8)).toString('hex')}`)

/** A network that leaves addresses on both sides of it. */
export const randomNetwork = (random: Random, family: 4 | 6 = random.pick([4, 6])): Network => {
  const width = WIDTH[family]
  const prefix = random.integer(3, width - 2)
  const step = 1n << BigInt(width - prefix)
  const middle = (numberFrom(random, width) % (1n << BigInt(width - 1))) + (1n << BigInt(width - 2))
  return { family, prefix, first: middle - (middle % step) }
}

/** Addresses at and around the edges of a network: where arithmetic goes wrong. */
export const edges = (network: Network): { address: bigint; inside: boolean }[] => {
  const last = network.first + size(network) - 1n
  const inside = [network.first, last, network.first + size(network) / 2n].map((address) => ({ address, inside: true }))
  return [...inside, { address: network.first - 1n, inside: false }, { address: last + 1n, inside: false }]
}

/** A network of this width that leaves addresses on both sides of it; one of width 0 has none. */
export const networkOf = (random: Random, family: 4 | 6, prefix: number): Network => {
  const { first } = randomNetwork(random, family)
  const step = 1n << BigInt(WIDTH[family] - prefix)
  return { family, prefix, first: first - (first % step) }
}

/** The ways to write an IPv6 address: without its longest run of zeros, in full length, and with leading zeros in capitals. */
export const spellings = (address: bigint): string[] => {
  const full = addressText(6, address)
  const padded = full.split(':').map((group) => group.padStart(4, '0'))
  return [new URL(`http://[${full}]/`).hostname.slice(1, -1), full, padded.join(':').toUpperCase()]
}

/** A random address of a network. */
export const within = (random: Random, network: Network): bigint => network.first + (numberFrom(random, 128) % size(network))
