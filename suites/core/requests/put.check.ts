import { isDeepStrictEqual } from 'node:util'
import { type Answer, type Bench, type CallInput, type Expect, isObject, type JsonObject, sweep } from '../../../harness/checks/index.ts'

/** Seconds by which leases of the same lifetime may differ, as the request takes its time. */
const APART = 60

const leaseOf = ({ body }: Answer): number => Number((body as { lease_duration?: unknown } | undefined)?.lease_duration ?? 0)

/** Whether two answers to the same request agree in all that the server does not choose. */
const alike = (one: Answer, other: Answer): boolean =>
  one.status === other.status &&
  isDeepStrictEqual(Object.keys(one.data).toSorted(), Object.keys(other.data).toSorted()) &&
  Math.abs(leaseOf(one) - leaseOf(other)) <= APART

interface Updated {
  bench: Bench
  expect: Expect
  operation: { id: string; requestSchema: { [keyword: string]: unknown } | undefined }
  state(request: CallInput): Promise<unknown>
}

/**
 * An update may leave out what is not required, and what becomes of it then is for the server to say: kept, or set to its default. It is the same
 * whichever method says so.
 *
 * @param request wrote what is there.
 */
const judgeUpdate = async ({ bench, expect, operation: { id, requestSchema }, state }: Updated, request: CallInput): Promise<void> => {
  const { required = [], properties = {} } = (requestSchema ?? {}) as { required?: string[]; properties?: JsonObject }
  const { body } = request
  const before = await state(request)
  if (!isObject(body) || !isObject(before)) return
  const optional = Object.keys(body).filter((field) => field in properties && !required.includes(field) && field in before)
  if (required.length === 0 || optional.length === 0) return
  const rest = Object.fromEntries(Object.entries(body).filter(([field]) => required.includes(field)))
  const kept = async (): Promise<string[]> => {
    const now = await state(request)
    return optional.filter((field) => isObject(now) && isDeepStrictEqual(now[field], before[field]))
  }
  const updates = async (): Promise<{ ok: boolean; kept: string[] }[]> => {
    const each = []
    for (const method of ['POST', 'PUT']) {
      // What cannot be written back tells nothing.
      if (!(await bench.call(id, request)).ok || (await kept()).length < optional.length) return []
      // Some of it may be required of its kind: then it is refused, by either.
      const { ok } = await bench.call(id, { ...request, body: rest, method, invalid: true })
      each.push({ ok, kept: await kept() })
    }
    return each
  }
  const first = await updates()
  // A backend that refuses now and then does not distinguish methods.
  const [post, put] = isDeepStrictEqual(first[0], first[1]) ? first : await updates()
  expect(put, `an update by PUT that is silent on ${optional.join(', ')}: what it leaves of them, as by POST`).toEqual(post)
}

sweep({
  id: 'core/put',
  clauses: ['CORE-WRITE-01'],
  title: 'PUT does what POST does',
  kind: 'scenario',
  exclusion: 'put',
  applies: (operation) => operation.method === 'POST',
  async body({ bench, expect, operation, input, state }) {
    const effectOf = async (method: string) => {
      const request = await input()
      const before = await state(request)
      const answer = await bench.call(operation.id, { ...request, method })
      const after = await state(request)
      return { answer, after, changed: !isDeepStrictEqual(before, after) }
    }
    const judgeForm = async (put: Answer, post: Answer) => {
      if (!put.ok || !post.ok || alike(put, post)) return
      // The first of its kind may be answered otherwise: then what came later is held against what comes last.
      const last = await bench.call(operation.id, { ...(await input()), method: 'PUT' })
      expect(alike(last, post), 'PUT is answered with the status, the members and the lease that POST is').toBe(true)
    }
    // PUT goes first: some operations succeed once per mount.
    const first = await effectOf('PUT')
    if (first.answer.ok && first.changed) {
      expect(first.answer, 'PUT').toSucceed()
      const request = await input()
      const post = await bench.call(operation.id, request)
      await judgeForm(first.answer, post)
      return post.ok ? judgeUpdate({ bench, expect, operation, state }, request) : undefined
    }
    // A backend that refuses now and then does not distinguish methods.
    const orAgain = async (tried: Awaited<ReturnType<typeof effectOf>>, method: string) => (tried.answer.ok ? tried : effectOf(method))
    const post = await orAgain(await effectOf('POST'), 'POST')
    if (!post.answer.ok) await bench.given(operation.id, await input())
    const put = await orAgain(first, 'PUT')
    expect(put.answer, 'PUT where POST succeeds').toSucceed()
    // What both change, what neither changes, or what is the same after both, does not differ.
    const same = put.changed || !post.changed || isDeepStrictEqual(put.after, post.after)
    expect(same, 'PUT changes the state as POST does').toBe(true)
    await judgeForm(put.answer, post.answer)
  },
})
