/** Faults that show only after several steps about tokens of equal values, or of roles that come and go. */
import { faultsOf } from '../../mutations/declare.ts'
import { nameOf } from './definitions.ts'
import { transformEngine } from './engine.ts'
import { beside, dataOf, type Handle, overInternalStore } from './wrappers.ts'

const { change } = faultsOf(transformEngine)

const named = (body: { value?: unknown; transformation?: unknown }): [value: string, transformation: string] => [
  String(body.value ?? ''),
  String(body.transformation ?? ''),
]

const madeBy = beside(() => ({ byRole: new Map<string, Set<string>>(), ended: new Set<string>() }))

/** Handles a request with tokens that have ended left out. */
const withoutEnded =
  (original: Handle): Handle =>
  (call) => {
    const { ended } = madeBy(call.state)
    return overInternalStore((store) => ({
      byToken: async (owner, digests) =>
        store.byToken(
          owner,
          digests.filter((digest) => !ended.has(digest)),
        ),
    }))(original)(call)
  }

change(
  'history-role-takes-its-tokens',
  ['TRANSFORM-TOKEN-01', 'TRANSFORM-VALIDATE-01'],
  'deleting a role ends the tokens that it asked for',
  {
    routes: {
      'transform.encode': (original) => (call) => {
        const { byRole } = madeBy(call.state)
        const role = call.params.role_name ?? ''
        return overInternalStore((store) => ({
          put: async (tokens) => {
            byRole.set(role, new Set([...(byRole.get(role) ?? []), ...tokens.map(({ token }) => token)]))
            await store.put(tokens)
          },
        }))(original)(call)
      },
      'transform.deleteRole': (original) => (call) => {
        const { byRole, ended } = madeBy(call.state)
        for (const token of byRole.get(nameOf(call)) ?? []) ended.add(token)
        return original(call)
      },
      'transform.decode': withoutEnded,
      'transform.validate': withoutEnded,
      'transform.metadata': withoutEnded,
    },
  },
)

const carried = beside(() => new Map<string, { transformation: string; metadata: string }>())

change(
  'history-metadata-of-equal-value',
  ['TRANSFORM-METADATA-03'],
  'a token has the metadata that another transformation has for the same value',
  {
    routes: {
      'transform.encode': (original) => async (call) => {
        const [value, transformation] = named(call.body)
        const known = carried(call.state).get(value)
        if (known !== undefined && known.transformation !== transformation)
          return original({ ...call, body: { ...call.body, metadata: known.metadata } })
        const given = await original(call)
        if (typeof call.body.metadata === 'string') carried(call.state).set(value, { transformation, metadata: call.body.metadata })
        return given
      },
    },
  },
)

const encoded = beside(() => new Map<string, Set<string>>())
const dropped = beside(() => new Set<string>())

change(
  'history-deletion-takes-equal-values',
  ['TRANSFORM-TOKENIZED-01'],
  'with a transformation the other ones of its mount forget that they have tokenized the same values',
  {
    routes: {
      'transform.encode': (original) => async (call) => {
        const [value, transformation] = named(call.body)
        const given = await original(call)
        encoded(call.state).set(transformation, new Set([...(encoded(call.state).get(transformation) ?? []), value]))
        dropped(call.state).delete(value)
        return given
      },
      'transform.deleteTransformation': (original) => (call) => {
        for (const value of encoded(call.state).get(nameOf(call)) ?? []) dropped(call.state).add(value)
        return original(call)
      },
      'transform.tokenized': (original) => async (call) => {
        const given = await original(call)
        const [value] = named(call.body)
        if (!dropped(call.state).has(value) || dataOf(given).tokenized !== true) return given
        return { ...given, body: { ...(given.body as object), data: { tokenized: false } } }
      },
    },
  },
)
