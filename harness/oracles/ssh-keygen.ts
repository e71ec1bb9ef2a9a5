/** Reads OpenSSH certificates with `ssh-keygen -L`, which verifies their signatures too: a third reader where it is installed. */
import { isOnPath, runProgram } from './programs.ts'
import type { SshReading } from './ssh-certificate-reader.ts'

const PROGRAM = 'ssh-keygen'

/** Whether there is an `ssh-keygen` on the PATH. */
export const hasKeygen = (): boolean => isOnPath(PROGRAM)

interface Section {
  [title: string]: string[]
}

/** Lines of `ssh-keygen -L` below their titles; a value on the title's own line comes first. */
const sectionsOf = (listing: string): Section => {
  const sections: Section = {}
  let title = ''
  for (const line of listing.split('\n').slice(1)) {
    const head = /^ {8}([A-Z][A-Za-z ]*):\s?(.*)$/.exec(line)
    if (head) {
      title = head[1] ?? ''
      sections[title] = head[2]?.trim() && head[2].trim() !== '(none)' ? [head[2].trim()] : []
    } else if (/^ {16}/.test(line)) sections[title]?.push(line.slice(16))
  }
  return sections
}

const seconds = (text: string): number => Date.parse(`${text}Z`) / 1000

/** From when to when a certificate holds: `from A to B`, `after A`, `before B` or `forever`, where an open end is the least or greatest number. */
const validity = (text: string): { validAfter: number; validBefore: number } => {
  const after = /^(?:from|after) (\S+)/.exec(text)?.[1]
  const before = /(?:to|before) (\S+)$/.exec(text)?.[1]
  return {
    validAfter: after === undefined ? 0 : seconds(after),
    validBefore: before === undefined ? Number.POSITIVE_INFINITY : seconds(before),
  }
}

/** What ssh-keygen reads in a certificate's line. @throws Error with what it says where it refuses */
export const keygenReading = async (line: string): Promise<SshReading> => {
  const ended = await runProgram(PROGRAM, ['-L', '-f', '-'], { input: `${line}\n` })
  if (ended.code !== 0) throw new Error((ended.stderr || ended.stdout).trim())
  const sections = sectionsOf(ended.stdout)
  const one = (title: string): string => sections[title]?.[0] ?? ''
  const names = (title: string) => (sections[title] ?? []).map((option) => option.split(' ')[0] ?? '').sort()
  return {
    type: one('Type').includes('host certificate') ? 'host' : 'user',
    keyId: one('Key ID').replace(/^"(.*)"$/s, '$1'),
    serial: BigInt(one('Serial') || '0'),
    principals: sections.Principals ?? [],
    ...validity(one('Valid')),
    criticalOptions: names('Critical Options'),
    extensions: names('Extensions'),
    key: /SHA256:\S+/.exec(one('Public key'))?.[0] ?? '',
  }
}
