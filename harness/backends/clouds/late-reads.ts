/** Providers whose readers see changes late: they read a copy of the project, which is refreshed from time to time. */
import type { Project } from './gateway-state.ts'

const copyOf = (project: Project): Project => ({
  ...project,
  accounts: new Map([...project.accounts].map(([email, account]) => [email, { ...account, keys: new Map(account.keys) }])),
  policies: new Map(project.policies),
  rings: new Set(project.rings),
  ringKeys: new Map([...project.ringKeys].map(([name, key]) => [name, { ...key, versions: [...key.versions] }])),
  regionalKeys: new Map(project.regionalKeys),
  aliases: new Map(project.aliases),
  vault: { ...project.vault, keys: new Map([...project.vault.keys].map(([name, versions]) => [name, [...versions]])) },
})

/** What readers of a project see: itself, or its copy, which is up to as old as `lateReads` says. */
export const asSeen = (project: Project): Project => {
  const { lateReads: late } = project
  if (late === undefined) return project
  if (Date.now() - late.takenAt >= late.ms) seeAll(project)
  return late.copy
}

/** Refreshes the copy of a project, if it has one. */
export const seeAll = ({ lateReads: late, ...project }: Project): void => {
  if (late === undefined) return
  late.copy = copyOf(project)
  late.takenAt = Date.now()
}

/** From now on reads of a project are late by up to so many milliseconds; zero changes nothing. */
export const readLate = (project: Project, ms: number): void => {
  if (ms > 0) project.lateReads ??= { ms, takenAt: Date.now(), copy: copyOf(project) }
}

/** How late the provider is for a client that names itself to the proxy as `late-reads`, with milliseconds for its password. */
export const lateness = (proxyAuthorization: string | undefined): number => {
  const text = Buffer.from(/^Basic (.+)$/i.exec(proxyAuthorization ?? '')?.[1] ?? '', 'base64').toString('utf8')
  return Number(/^late-reads:(\d{1,5})$/.exec(text)?.[1] ?? 0)
}
