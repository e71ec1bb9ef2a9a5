/** `roleset/` and `rolesets`: accounts at the provider, with their rights. */
import type { Route } from '../../core/engine.ts'
import { empty, secret } from '../../core/envelope.ts'
import { ApiError, notFound } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { makeAccount, newTokenKey, removeAccount } from './accounts.ts'
import { type CloudcCall, provider } from './provider-calls.ts'
import type { CloudcRules } from './rules.ts'
import type { Bindings, CloudcState, Roleset } from './state.ts'

const nameOf = (call: CloudcCall): string => call.params.name ?? ''

/** Runs after all that was asked of this roleset before. */
export const inTurn = <T>(call: CloudcCall, name: string, work: () => Promise<T>): Promise<T> => {
  if (!call.rules.oneAtATime()) return work()
  const before = call.state.turns.get(name) ?? Promise.resolve()
  const turn = before.then(work, work)
  call.state.turns.set(
    name,
    turn.catch(() => undefined),
  )
  return turn
}

/** The roleset that an action is about. Throws 400 where there is none. */
export const rolesetFor = (call: CloudcCall, name: string): Roleset => {
  const roleset = call.state.rolesets.get(name)
  if (roleset === undefined) throw new ApiError(call.rules.unknownStatus(), `unknown roleset ${name}`)
  return roleset
}

/** Ends the leases of keys that a roleset issued; the keys themselves go with their account. */
const endKeys = async ({ services, mount, rules }: CloudcCall, name: string): Promise<void> => {
  if (rules.endsKeys()) await services.leases.forcePrefix(`${mount.namespace}${mount.path}key/${name}/`)
}

/** Gives a roleset a new account; the one before it is removed when the new one is ready. */
const replaceAccount = async (call: CloudcCall, name: string, before: Roleset, bindings: Bindings, scopes: string[]): Promise<void> => {
  const account = await makeAccount(call, name, { ...before, bindings })
  call.state.rolesets.set(name, { ...before, bindings, scopes, account })
  await endKeys(call, name)
  await removeAccount(call, before.bindings, before.account.email)
}

const write = async (call: CloudcCall): Promise<Reply> => {
  const { rules, state, body } = call
  const name = nameOf(call)
  const before = state.rolesets.get(name)
  const secretType = rules.secretTypeOf(body, before)
  const wanted = {
    secretType,
    project: rules.projectOf(body, before),
    bindings: rules.bindingsTextOf(body, before),
    scopes: rules.scopesOf(body, secretType),
  }
  if (before !== undefined) rules.refusesFixed(wanted, before)
  const bindings = wanted.bindings === undefined ? before!.bindings : await rules.bindingsOf(wanted.bindings)
  const scopes = wanted.scopes ?? before?.scopes ?? []
  if (before === undefined) {
    const account = await makeAccount(call, name, { ...wanted, bindings })
    state.rolesets.set(name, rules.storedRoleset({ secretType, project: wanted.project, bindings, scopes, account }))
  } else if (rules.changesBindings(before.bindings, bindings)) await replaceAccount(call, name, before, bindings, scopes)
  else state.rolesets.set(name, { ...before, scopes })
  return empty()
}

const remove = async (call: CloudcCall): Promise<Reply> => {
  const name = nameOf(call)
  const roleset = call.state.rolesets.get(name)
  if (roleset === undefined) return empty()
  call.state.rolesets.delete(name)
  await endKeys(call, name)
  await removeAccount(call, roleset.bindings, roleset.account.email)
  return empty()
}

const rotate = async (call: CloudcCall): Promise<Reply> => {
  const roleset = rolesetFor(call, nameOf(call))
  await replaceAccount(call, nameOf(call), roleset, roleset.bindings, roleset.scopes)
  return empty()
}

const rotateKey = async (call: CloudcCall): Promise<Reply> => {
  const roleset = rolesetFor(call, nameOf(call))
  const { tokenKey, email } = roleset.account
  call.rules.mayRotateKey(roleset)
  const fresh = await newTokenKey(call, email)
  call.state.rolesets.set(nameOf(call), { ...roleset, account: { email, tokenKey: fresh } })
  if (tokenKey !== undefined && call.rules.deletesTokenKey()) await provider.deleteKey(call, tokenKey.name)
  return empty()
}

const changing = (work: (call: CloudcCall) => Promise<Reply>) => (call: CloudcCall) => inTurn(call, nameOf(call), () => work(call))

export const rolesetRoutes: Route<CloudcState, CloudcRules>[] = [
  {
    id: 'cloudc.writeRoleset',
    method: 'POST',
    path: 'roleset/:name',
    exists: (call) => call.state.rolesets.has(nameOf(call)),
    handle: changing(write),
  },
  {
    id: 'cloudc.readRoleset',
    method: 'GET',
    path: 'roleset/:name',
    handle(call) {
      const roleset = call.state.rolesets.get(nameOf(call))
      if (roleset === undefined) throw notFound(`no roleset ${nameOf(call)}`)
      return secret(call.rules.shownRoleset(roleset, call.rules.shownBindings(roleset.bindings)))
    },
  },
  { id: 'cloudc.deleteRoleset', method: 'DELETE', path: 'roleset/:name', handle: changing(remove) },
  { id: 'cloudc.listRolesets', method: 'LIST', path: 'rolesets', handle: ({ state, services }) => services.listing(state.rolesets.keys()) },
  { id: 'cloudc.rotate', method: 'POST', path: 'roleset/:name/rotate', handle: changing(rotate) },
  { id: 'cloudc.rotateKey', method: 'POST', path: 'roleset/:name/rotate-key', handle: changing(rotateKey) },
]
