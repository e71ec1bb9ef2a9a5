/** Callers of the sweeps over access: by what they are granted, and where. */
import type { Answer, Bench, CallInput, Capability, Identity, OperationFacts, SweepContext } from '../../../harness/checks/index.ts'
import { methodsOf } from './methods.ts'

export const identities = { features: ['identities' as const] }
/** All that a policy can grant. */
export const EVERYTHING: Capability[] = ['create', 'read', 'update', 'delete', 'list', 'sudo']

export const needsToken = (operation: OperationFacts) => !operation.unauthenticated && operation.engine !== 'core'

/** A caller that some other place grants everything. */
export const strangerTo = (bench: Bench) =>
  bench.identity([
    {
      operation: 'core.readAny',
      path: { anyPath: bench.fresh('elsewhere') },
      capabilities: ['create', 'read', 'update', 'delete', 'list'],
    },
  ])

/** A caller that is granted everything on a request's path, and denied it there as well. */
export const deniedTo = (bench: Bench, operation: OperationFacts, request: CallInput) =>
  bench.identity([
    {
      operation: operation.id,
      ...placeOf(request),
      capabilities: ['create', 'read', 'update', 'delete', 'list', 'deny'],
    },
  ])

/** A caller that one policy grants everything, for all names where the path has one, and another one denies it for that of the request. */
export const deniedAmongAll = async (bench: Bench, operation: OperationFacts, request: CallInput): Promise<Identity> => {
  const { path: _, ...anywhere } = request
  return bench.identity([
    { operation: operation.id, ...placeOf(anywhere), capabilities: EVERYTHING },
    { operation: operation.id, ...placeOf(request), capabilities: ['deny'], apart: 1 },
  ])
}

/** A caller that is granted nothing on a request's path but what some paths ask for besides. */
export const sudoAlone = (bench: Bench, operation: OperationFacts, request: CallInput) =>
  bench.identity([{ operation: operation.id, ...placeOf(request), capabilities: ['sudo'] }])

/** A caller that may do everything with the same names on every other path of the mount; undefined without such a path. */
export const allowedBeside = async (bench: Bench, { beside }: OperationFacts, request: CallInput): Promise<Identity | undefined> => {
  if (beside.length === 0) return undefined
  return bench.identity(beside.map((operation) => ({ operation, ...placeOf(request), capabilities: EVERYTHING })))
}

/**
 * A caller that may do everything at the same path of another namespace, and where the operation is on a mount at that of another mount, and below
 * one by whose name that of the request begins.
 */
export const allowedElsewhere = async (bench: Bench, operation: OperationFacts, request: CallInput): Promise<Identity> => {
  const everything = { operation: operation.id, ...placeOf(request), capabilities: EVERYTHING }
  const inNamespace = { ...everything, namespace: `${bench.fresh('namespace')}/` }
  if (operation.mount === undefined) return bench.identity([inNamespace])
  return bench.identity([
    { ...everything, mountName: bench.fresh('mount') },
    { ...everything, mountName: (own) => own.slice(0, -1), wholeMount: true },
    inNamespace,
  ])
}

/** A caller that may do everything where a name of the request is cut or continued, and below such names; undefined where it names nothing. */
export const allowedNear = async (bench: Bench, operation: OperationFacts, request: CallInput): Promise<Identity | undefined> => {
  const severalSegments = operation.parameters.filter(({ multiSegment }) => multiSegment).map(({ name }) => name)
  const near = Object.entries(request.path ?? {}).flatMap(([name, value]) =>
    [
      value.slice(0, -1),
      `${value}0`,
      ...(severalSegments.includes(name) && value.includes('/') ? [value.slice(0, value.lastIndexOf('/'))] : []),
      ...(severalSegments.includes(name) && !value.endsWith('/') && value.length > 1 ? [`${value}/*`, `${value.slice(0, -1)}/*`] : []),
    ]
      .filter((other) => other !== value && !/^$|[/]$/.test(other))
      .map((other) => ({ ...request.path, [name]: other })),
  )
  if (near.length === 0) return undefined
  return bench.identity(near.map((path) => ({ operation: operation.id, ...placeOf({ ...request, path }), capabilities: EVERYTHING })))
}

export const placeOf = ({ path, mount }: { path?: Record<string, string>; mount?: string }) => ({
  ...(path === undefined ? {} : { path }),
  ...(mount === undefined ? {} : { mount }),
})

/**
 * Shows that a request is good, so that what callers were refused they were refused for who they are. Where one of them was served nothing is left
 * to show, and what is to be had may be used up: an account has so many keys at most.
 *
 * @returns whether the request was served to somebody who may do it.
 */
export const isGoodByItself = async (
  bench: Bench,
  operation: OperationFacts,
  request: CallInput,
  answers: readonly (readonly [what: string, answer: Answer, ...rest: unknown[]])[],
): Promise<boolean> => {
  const areRefused = answers.every(([, { ok }]) => !ok)
  if (areRefused) await bench.given(operation.id, request)
  return areRefused
}

/** Sends a request as a caller who is granted it by a policy, as the administrator is not, whatever comes of it. */
export const askAsGranted = async (bench: Bench, operation: OperationFacts, request: CallInput): Promise<void> => {
  const as = await bench.identity([{ operation: operation.id, ...placeOf(request), capabilities: EVERYTHING }])
  await bench.call(operation.id, { ...request, as })
}

/**
 * A caller is refused an operation by every method, with each of these numbers of segments of the namespace in the path instead of the header, and
 * nothing comes of it.
 */
export const isRefusedThroughout = async (
  { bench, expect, operation, input, state }: SweepContext,
  callerFor: (request: CallInput) => Promise<Identity>,
  segmentsInPath: readonly number[],
): Promise<void> => {
  const request = await input()
  const before = await state(request)
  const as = await callerFor(request)
  const answers: [what: string, answer: Answer][] = []
  for (const namespaceInPath of segmentsInPath)
    for (const method of methodsOf(operation)) {
      const answer = await bench.call(operation.id, { ...request, as, method, namespaceInPath })
      answers.push([`${method} with ${namespaceInPath} segments of the namespace in the path`, answer])
    }
  const after = await state(request)
  await isGoodByItself(bench, operation, request, answers)
  for (const [what, answer] of answers) expect(answer, what).toHaveStatus(403, 404)
  expect(after, 'state after what was refused').toEqual(before)
}
