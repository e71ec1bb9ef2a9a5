/** Which members of results hold words of ours alone, and so need no redaction. */

/** Members whose words are the contract's and the suites', never the target's: a string, or a list of ids. */
const OUR_WORDS = new Set([
  // Instants by our clock, which a leaked text may begin like.
  'startedAt',
  'finishedAt',
  ...'id title text reading engine level kind clause clauses check checks operation method path outcome verdict gate state'.split(' '),
  ...'subject failOn vote claimed engines occurs cause causedBy restsOn lacks without present'.split(' '),
])
/** Members that are left whole: counts and ids alone, and evidence, which is redacted where it is made. */
const LEFT_WHOLE = new Set(['evidence', 'exchange', 'coverage', 'kills', 'variants', 'source'])

const isWords = (member: unknown): boolean =>
  typeof member === 'string' || (Array.isArray(member) && member.every((item) => typeof item === 'string'))

/** `checks` names a list of ids in a clause and holds everything in the results: only the former is ours. */
export const isOurs = (name: string, member: unknown): boolean => LEFT_WHOLE.has(name) || (OUR_WORDS.has(name) && isWords(member))
