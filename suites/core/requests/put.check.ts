import { isDeepStrictEqual } from 'node:util'
import { type Answer, sweep } from '../../../harness/checks/index.ts'

/** Seconds by which leases of the same lifetime may differ, as the request takes its time. */
const APART = 60

const leaseOf = ({ body }: Answer): number => Number((body as { lease_duration?: unknown } | undefined)?.lease_duration ?? 0)

/** Whether two answers to the same request agree in all that the server does not choose. */
const alike = (one: Answer, other: Answer): boolean =>
  one.status === other.status &&
  isDeepStrictEqual(Object.keys(one.data).toSorted(), Object.keys(other.data).toSorted()) &&
  Math.abs(leaseOf(one) - leaseOf(other)) <= APART

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
      return judgeForm(first.answer, await bench.call(operation.id, await input()))
    }
    // A backend that refuses now and then is no difference between methods.
    const orAgain = async (tried: Awaited<ReturnType<typeof effectOf>>, method: string) => (tried.answer.ok ? tried : effectOf(method))
    const post = await orAgain(await effectOf('POST'), 'POST')
    if (!post.answer.ok) await bench.given(operation.id, await input())
    const put = await orAgain(first, 'PUT')
    expect(put.answer, 'PUT where POST succeeds').toSucceed()
    // What both change, what neither changes, or what is the same after both, is no difference.
    const same = put.changed || !post.changed || isDeepStrictEqual(put.after, post.after)
    expect(same, 'PUT changes the state as POST does').toBe(true)
    await judgeForm(put.answer, post.answer)
  },
})
