/** What the variants of the SSH engine are declared with. */
import type { Route } from '../core/engine.ts'
import { type Mutation, type Variant, variant } from '../core/mutation.ts'
import { sshEngine } from '../engines/ssh/index.ts'
import type { SshRules } from '../engines/ssh/rules.ts'
import type { SshState } from '../engines/ssh/state.ts'

export type Handle = Route<SshState, SshRules>['handle']
export type SshCall = Parameters<Handle>[0]

export const sshVariant = (id: string, title: string, reading: string, mutation: Mutation<SshRules, Handle>): Variant =>
  variant(sshEngine, { id: `ssh-${id}`, engine: 'ssh', title, reading }, mutation)

export const ruleVariant = (id: string, title: string, reading: string, rules: NonNullable<Mutation<SshRules, Handle>['rules']>): Variant =>
  sshVariant(id, title, reading, { rules })

export const routeVariant = (
  id: string,
  title: string,
  reading: string,
  operations: string[],
  wrap: (original: Handle) => Handle,
): Variant => sshVariant(id, title, reading, { routes: Object.fromEntries(operations.map((operation) => [`ssh.${operation}`, wrap])) })

export const nameOf = (call: SshCall): string => call.params.name ?? ''
