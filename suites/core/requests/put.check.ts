import { isDeepStrictEqual } from 'node:util'
import { sweep } from '../../../harness/checks/index.ts'

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
    // PUT goes first: some operations succeed once per mount.
    const first = await effectOf('PUT')
    if (first.answer.ok && first.changed) return expect(first.answer, 'PUT').toSucceed()
    // A backend that refuses now and then is no difference between methods.
    const orAgain = async (tried: Awaited<ReturnType<typeof effectOf>>, method: string) => (tried.answer.ok ? tried : effectOf(method))
    const post = await orAgain(await effectOf('POST'), 'POST')
    if (!post.answer.ok) await bench.given(operation.id, await input())
    const put = await orAgain(first, 'PUT')
    expect(put.answer, 'PUT where POST succeeds').toSucceed()
    // What both change, what neither changes, or what is the same after both, is no difference.
    const same = put.changed || !post.changed || isDeepStrictEqual(put.after, post.after)
    expect(same, 'PUT changes the state as POST does').toBe(true)
  },
})
