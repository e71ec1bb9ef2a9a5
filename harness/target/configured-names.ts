/** Names that configuration files and flags share. */

/** What disturbs other users of a server, and is done only where it is allowed. */
export const PERMISSIONS: readonly string[] = ['seal', 'oversize', 'rotateRoot']

export const PROVISIONERS: readonly string[] = ['static', 'sys', 'command']

/** How much a run does, least first: each required clause once; what adds most for its cost; everything. */
export const EFFORTS = ['quick', 'standard', 'thorough'] as const
export type Effort = (typeof EFFORTS)[number]

/** A name of an API or an engine as files and flags have it: the one that TypeScript would give it is understood too. */
export const hyphenated = (text: string): string => text.replaceAll(/(?<=[a-z])[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
