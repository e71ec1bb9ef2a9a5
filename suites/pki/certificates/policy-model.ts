/** What the contract says of names and roles, as a table of cases: written from the text, not from any server. */

export interface NameAttributes {
  allow_localhost: boolean
  allow_bare_domains: boolean
  allow_subdomains: boolean
  allow_glob_domains: boolean
  allow_any_name: boolean
  enforce_hostnames: boolean
}

/** Domains that roles of the matrix list: one plain, one with a pattern. */
export const LISTED = ['alpha.example', 'web-*.beta.example']

type Verdict = boolean | 'silent'

/** A name with the rule that decides it: which attributes let it in, and where the text is silent. */
export interface NameCase {
  name: string
  /** An email address whose domain no listed one lets in. */
  stranger?: true
  allowed(role: NameAttributes): Verdict
}

/** A listed domain itself. Whether an entry without a star is a pattern that matches itself is not said. */
const listedItself = (role: NameAttributes): Verdict =>
  role.allow_bare_domains || role.allow_any_name || (role.allow_glob_domains ? 'silent' : false)

const hosts: NameCase[] = [
  // Whether `any name` brings back a localhost that is switched off is not said: its switch is not among those that add up.
  { name: 'localhost', allowed: (role) => role.allow_localhost || (role.allow_any_name ? 'silent' : false) },
  { name: 'alpha.example', allowed: listedItself },
  { name: 'a.alpha.example', allowed: (role) => role.allow_subdomains || role.allow_any_name },
  { name: 'a.b.c.alpha.example', allowed: (role) => role.allow_subdomains || role.allow_any_name },
  // Whether a wildcard is a valid host name is not said: it matters where only `any name` could let it in.
  { name: '*.alpha.example', allowed: (role) => role.allow_subdomains || (role.allow_any_name ? 'silent' : false) },
  { name: '*.a.alpha.example', allowed: (role) => role.allow_subdomains || (role.allow_any_name ? 'silent' : false) },
  { name: '*.notalpha.example', allowed: (role) => (role.allow_any_name ? 'silent' : false) },
  { name: '*.gamma.example', allowed: (role) => (role.allow_any_name ? 'silent' : false) },
  { name: 'notalpha.example', allowed: (role) => role.allow_any_name },
  { name: 'alpha.example.org', allowed: (role) => role.allow_any_name },
  { name: 'web-7.beta.example', allowed: (role) => role.allow_glob_domains || role.allow_any_name },
  { name: 'db-7.beta.example', allowed: (role) => role.allow_any_name },
  { name: 'beta.example', allowed: (role) => role.allow_any_name },
  { name: 'gamma.example', allowed: (role) => role.allow_any_name },
  // What makes a valid host name is not said: it matters where only `any name` could let it in.
  { name: '-bad-.gamma.example', allowed: (role) => (role.allow_any_name ? 'silent' : false) },
]

const emails: NameCase[] = [
  { name: 'someone@alpha.example', allowed: listedItself },
  { name: 'someone@a.alpha.example', allowed: (role) => role.allow_subdomains || role.allow_any_name },
  { name: 'someone@notalpha.example', stranger: true, allowed: (role) => role.allow_any_name },
  { name: 'someone@gamma.example', stranger: true, allowed: (role) => role.allow_any_name },
  // Whether a pattern is held against the address or its domain is not said.
  { name: 'someone@web-7.beta.example', allowed: (role) => role.allow_any_name || (role.allow_glob_domains ? 'silent' : false) },
]

export const nameCases = { hosts, emails }

const FIELDS = [
  'allow_localhost',
  'allow_bare_domains',
  'allow_subdomains',
  'allow_glob_domains',
  'allow_any_name',
  'enforce_hostnames',
] as const

const fromBits = (bits: number): NameAttributes =>
  Object.fromEntries(FIELDS.map((field, at) => [field, (bits & (1 << at)) !== 0])) as unknown as NameAttributes

const anyName = 1 << FIELDS.indexOf('allow_any_name')

/** Pairs of values, each with whether any name is allowed: where one is, few other attributes show. */
const pairsOf = (bits: number): string[] => {
  const pairs: string[] = []
  const within = (bits & anyName) !== 0
  for (let left = 0; left < FIELDS.length; left += 1) {
    for (let right = left + 1; right < FIELDS.length; right += 1)
      pairs.push(`${left}${(bits >> left) & 1}${right}${(bits >> right) & 1}${within}`)
  }
  return pairs
}

/**
 * Few combinations of the attributes among which every pair of values of every two attributes occurs, with any name allowed and without.
 * @param pick chooses among equally good candidates, so that seeds differ
 */
export const pairwiseRoles = (pick: <T>(candidates: readonly T[]) => T): NameAttributes[] => {
  const open = new Set(Array.from({ length: 2 ** FIELDS.length }, (_, bits) => bits).flatMap(pairsOf))
  const chosen: NameAttributes[] = []
  while (open.size > 0) {
    const gains = Array.from({ length: 2 ** FIELDS.length }, (_, bits) => pairsOf(bits).filter((pair) => open.has(pair)).length)
    const best = Math.max(...gains)
    const bits = pick(gains.flatMap((gain, at) => (gain === best ? [at] : [])))
    for (const pair of pairsOf(bits)) open.delete(pair)
    chosen.push(fromBits(bits))
  }
  return chosen
}
