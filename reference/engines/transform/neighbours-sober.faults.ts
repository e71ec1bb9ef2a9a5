/** Effects on neighbours: what one name, caller, mount or item does to another, or takes from it. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { reply, replyData } from '../../mutations/wrappers.ts'
import type { TransformCall } from './batches.ts'
import { transformEngine } from './engine.ts'
import type { Template } from './state.ts'
import { byRules, CODING, dataOf, overInternalStore, withState } from './wrappers.ts'

const { rule, route, change } = faultsOf(transformEngine)

const nameOf = (call: TransformCall): string => call.params.name ?? ''

// States: a template names one alphabet, under the name that it was written with.
route(
  'sober-alphabet-namesake',
  ['TRANSFORM-APART-01'],
  'of alphabets whose names differ by case, the one written last serves all templates',
  CODING,
  (original) => {
    return (call) => {
      const alphabets = new Map([...call.state.alphabets].map(([name, letters]) => [name.toLowerCase(), letters]))
      const templates = new Map(
        [...call.state.templates].map(([name, template]) => [name, { ...template, alphabet: template.alphabet.toLowerCase() }]),
      )
      return original(withState(call, { alphabets, templates }))
    }
  },
)

// States: deleting a role deletes that role; a transformation reads with the allowed_roles that were written.
route(
  'sober-role-deletion-withdraws',
  ['TRANSFORM-APART-01'],
  'deleting a role takes its name out of the allowed_roles of transformations',
  'transform.deleteRole',
  (original) => {
    return async (call) => {
      const given = await original(call)
      for (const transformation of call.state.transformations.values())
        transformation.allowedRoles = transformation.allowedRoles.filter((role) => role !== nameOf(call))
      return given
    }
  },
)

// States: tokenized tells about tokens of the transformation that the request names.
route(
  'sober-tokenized-by-sibling',
  ['TRANSFORM-TOKENIZED-03'],
  'a value counts as tokenized where a sibling of the named transformation has a token',
  'transform.tokenized',
  (original) => {
    return async (call) => {
      const given = await original(call)
      if (dataOf(given).tokenized !== false) return given
      const siblings = (call.state.roles.get(call.params.role_name ?? '') ?? []).filter(
        (name) => call.state.transformations.get(name)?.type === 'tokenization',
      )
      for (const transformation of siblings) {
        const other = await Promise.resolve(original({ ...call, body: { ...call.body, transformation } })).catch(() => given)
        if (dataOf(other).tokenized === true) return other
      }
      return given
    }
  },
)

// States: deleting a store deletes the one that the path names.
route(
  'sober-store-deletion-by-prefix',
  ['TRANSFORM-STORE-23', 'TRANSFORM-STORE-05'],
  'deleting a store deletes those whose names go on after its name',
  'transform.deleteStore',
  (original) => {
    return async (call) => {
      const given = await original(call)
      for (const name of [...call.state.stores.keys()]) if (name.startsWith(nameOf(call))) call.state.stores.delete(name)
      return given
    }
  },
)

const alphabetReads = remembered(() => new Map<string, string>())
const forgotten = reply<TransformCall>((given, call) => {
  alphabetReads(call.services).delete(nameOf(call))
  return given
})

// States: an alphabet is read as it was written at this mount.
change(
  'sober-alphabet-read-of-other-mount',
  ['CORE-MOUNT-02'],
  'an alphabet that was read at one mount is shown for its namesake at another',
  {
    routes: {
      'transform.readAlphabet': replyData<TransformCall>((data, call) => {
        const known = alphabetReads(call.services)
        const letters = known.get(nameOf(call)) ?? String(data.alphabet)
        known.set(nameOf(call), letters)
        return { ...data, alphabet: letters }
      }),
      'transform.writeAlphabet': forgotten,
      'transform.deleteAlphabet': forgotten,
    },
  },
)

const templatesByPath = remembered(() => new Map<string, Template>())
const pathOf = (call: TransformCall, name: string): string => call.mount.path + name
const byPath: Parameters<typeof route>[4] = (original) => (call) => {
  const known = templatesByPath(call.services)
  const templates = new Map([...call.state.templates].map(([name, template]) => [name, known.get(pathOf(call, name)) ?? template]))
  return original(withState(call, { templates }))
}

// States: namespaces have mounts of their own; a value is transformed by the template of the mount that is asked.
change(
  'sober-template-of-other-namespace',
  ['TRANSFORM-APART-01'],
  'values are coded by the template written last at the same path, in whichever namespace',
  {
    routes: {
      'transform.writeTemplate': reply((given, call) => {
        const written = call.state.templates.get(nameOf(call))
        if (written !== undefined) templatesByPath(call.services).set(pathOf(call, nameOf(call)), written)
        return given
      }),
      'transform.deleteTemplate': reply((given, call) => {
        templatesByPath(call.services).delete(pathOf(call, nameOf(call)))
        return given
      }),
      'transform.encode': byPath,
      'transform.decode': byPath,
    },
  },
)

// States: each item of a batch carries its own transformation, whose template names the alphabet.
route(
  'sober-batch-shares-alphabet',
  ['TRANSFORM-BATCH-03'],
  'the alphabet of the first item of a batch serves the items of other transformations',
  CODING,
  (original) => {
    return byRules((rules) => {
      let first: string[] | undefined
      return {
        lettersOf(alphabet) {
          first ??= rules.lettersOf(alphabet)
          return first
        },
      }
    })(original)
  },
)

// States: each item of a batch is masked with the character of its own transformation.
route(
  'sober-batch-shares-mask',
  ['TRANSFORM-BATCH-03'],
  'equal values of a batch are masked alike, whatever transformations they name',
  'transform.encode',
  (original) => {
    return byRules((rules) => {
      const known = new Map<string, string>()
      return {
        masked(text, character) {
          const found = known.get(text) ?? rules.masked(text, character)
          known.set(text, found)
          return found
        },
      }
    })(original)
  },
)

// States: metadata answers with what the token that is asked about carries.
route(
  'sober-metadata-of-newest',
  ['TRANSFORM-METADATA-03'],
  'metadata and expiry are told of the newest token of the same value',
  'transform.metadata',
  (original) => {
    return overInternalStore((store) => ({
      async byToken(owner, digests) {
        const found = await store.byToken(owner, digests)
        for (const [digest, token] of found) {
          const newest = (await store.byValue(owner, [token.value])).at(-1)
          if (newest !== undefined) found.set(digest, { ...token, metadata: newest.metadata, expiresAt: newest.expiresAt })
        }
        return found
      },
    }))(original)
  },
)

// States: a role may use the transformations that its list names.
rule(
  'sober-role-allows-case-variant',
  ['TRANSFORM-ACCESS-03'],
  'a role may use a transformation whose name differs by case from one in its list',
  {
    roleAllows: () => (transformations, name) => transformations.some((one) => one.toLowerCase() === name.toLowerCase()),
  },
)

// States: a transformation may be used by the roles that its allowed_roles name.
rule(
  'sober-role-within-allowed-name',
  ['TRANSFORM-ACCESS-02'],
  'a role may use a transformation when its name is part of a name in allowed_roles',
  {
    transformationAllows: () => (transformation, role) => transformation.allowedRoles.join(',').includes(role),
  },
)
