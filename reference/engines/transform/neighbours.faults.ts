/** Faults in which a request reaches further than the object that it names. */
import { faultsOf } from '../../mutations/declare.ts'
import { nameOf } from './definitions.ts'
import { transformEngine } from './engine.ts'
import { internalStore } from './token-store.ts'
import { byRules, withState } from './wrappers.ts'

const { route, change } = faultsOf(transformEngine)

route(
  'neighbour-role-takes-transformations',
  ['TRANSFORM-APART-01', 'TRANSFORM-ACCESS-09'],
  'deleting a role deletes the transformations that it names (001 4.4, DELETE role)',
  'transform.deleteRole',
  (original) => (call) => {
    for (const name of call.state.roles.get(nameOf(call)) ?? []) call.state.transformations.delete(name)
    return original(call)
  },
)

route(
  'neighbour-transformation-takes-roles',
  ['TRANSFORM-APART-01'],
  'deleting a transformation deletes the roles that name it (001 4.4, DELETE transformation)',
  'transform.deleteTransformation',
  (original) => (call) => {
    for (const [role, names] of [...call.state.roles]) if (names.includes(nameOf(call))) call.state.roles.delete(role)
    return original(call)
  },
)

route(
  'neighbour-template-takes-alphabet',
  ['TRANSFORM-APART-01'],
  'deleting a template deletes the alphabet that it names (001 4.4, DELETE template)',
  'transform.deleteTemplate',
  (original) => (call) => {
    call.state.alphabets.delete(call.state.templates.get(nameOf(call))?.alphabet ?? '')
    return original(call)
  },
)

route(
  'neighbour-alphabet-update-takes-templates',
  ['TRANSFORM-APART-01'],
  'writing an alphabet again drops the templates that name it (001 4.4, alphabet)',
  'transform.writeAlphabet',
  (original) => (call) => {
    if (call.state.alphabets.has(nameOf(call)))
      for (const [name, { alphabet }] of [...call.state.templates]) if (alphabet === nameOf(call)) call.state.templates.delete(name)
    return original(call)
  },
)

route(
  'neighbour-masking-renews-keys',
  ['TRANSFORM-APART-01'],
  'making a masking transformation gives new keys to the others of the mount (001 4.4, decode)',
  'transform.writeMasking',
  (original) => (call) => {
    const isNew = !call.state.transformations.has(nameOf(call))
    if (isNew)
      for (const transformation of call.state.transformations.values()) {
        transformation.key = call.services.random.bytes(32)
        transformation.cipher = call.rules.cipher(transformation.key)
      }
    return original(call)
  },
)

route(
  'neighbour-tokens-open-everywhere',
  ['TRANSFORM-TOKEN-04', 'TRANSFORM-VALIDATE-02', 'TRANSFORM-METADATA-06'],
  'tokens of one transformation are tokens of every other of the mount (001 4.4, validate)',
  'transform.writeTokenization',
  (original) => async (call) => {
    const other = [...call.state.transformations].find(([name, { type }]) => name !== nameOf(call) && type === 'tokenization')?.[1]
    const given = await original(call)
    const own = call.state.transformations.get(nameOf(call))
    if (own !== undefined && other !== undefined) Object.assign(own, { key: other.key, cipher: other.cipher, id: other.id })
    return given
  },
)

route(
  'neighbour-role-writes-longer-names',
  ['TRANSFORM-APART-01'],
  'writing a role writes the roles whose names continue its name too (001 4.4, POST role)',
  'transform.writeRole',
  (original) => async (call) => {
    const given = await original(call)
    const written = call.state.roles.get(nameOf(call)) ?? []
    for (const name of call.state.roles.keys()) if (name.startsWith(nameOf(call))) call.state.roles.set(name, written)
    return given
  },
)

const everywhere = new Map<string, string>()

change(
  'neighbour-alphabet-of-other-mount',
  ['CORE-MOUNT-02'],
  'an alphabet that one mount lacks is read from another mount (001 intro, mounts)',
  {
    routes: {
      'transform.writeAlphabet': (original) => async (call) => {
        const given = await original(call)
        everywhere.set(nameOf(call), call.state.alphabets.get(nameOf(call)) ?? '')
        return given
      },
      'transform.readAlphabet': (original) => (call) =>
        original(withState(call, { alphabets: new Map([...everywhere, ...call.state.alphabets]) })),
      'transform.deleteAlphabet': (original) => (call) => {
        if (call.state.alphabets.has(nameOf(call))) everywhere.delete(nameOf(call))
        return original(call)
      },
    },
  },
)

route(
  'neighbour-role-takes-tokens',
  ['TRANSFORM-APART-01', 'TRANSFORM-TYPED-03'],
  'deleting a role ends the tokens of its mount (001 4.4, DELETE role)',
  'transform.deleteRole',
  (original) => (call) => {
    call.state.internalStore = internalStore()
    return original(call)
  },
)

route(
  'neighbour-template-takes-likes',
  ['TRANSFORM-APART-01'],
  'deleting a template deletes others with the same pattern (001 4.4, DELETE template)',
  'transform.deleteTemplate',
  (original) => (call) => {
    const pattern = call.state.templates.get(nameOf(call))?.pattern
    for (const [name, other] of [...call.state.templates])
      if (other.pattern === pattern && name !== nameOf(call)) call.state.templates.delete(name)
    return original(call)
  },
)

route(
  'neighbour-transformation-takes-template',
  ['TRANSFORM-APART-01'],
  'deleting a transformation deletes its template, though others use it (001 4.4, DELETE transformation)',
  'transform.deleteTransformation',
  (original) => (call) => {
    call.state.templates.delete(call.state.transformations.get(nameOf(call))?.template ?? '')
    return original(call)
  },
)

route(
  'neighbour-tokenized-of-other-transformation',
  ['TRANSFORM-TOKENIZED-03'],
  'a value counts as tokenized when another transformation of the role has a token for it (001 4.4, tokenized)',
  'transform.tokenized',
  (original) => async (call) => {
    const named = call.body.transformation
    const others = (call.state.roles.get(call.params.role_name ?? '') ?? []).filter(
      (name) => name !== named && call.state.transformations.get(name)?.type === 'tokenization',
    )
    const given = await original(call)
    for (const transformation of typeof named === 'string' ? others : []) {
      const other = await byRules(() => ({ transformationAllows: () => true }))(original)({
        ...call,
        body: { ...call.body, transformation },
      })
      if (JSON.stringify(other.body).includes('"tokenized":true')) return other
    }
    return given
  },
)
