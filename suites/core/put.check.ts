import { isDeepStrictEqual } from 'node:util'
import { sweep } from '../../harness/checks/index.ts'

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
    const post = await effectOf('POST')
    if (!post.answer.ok) {
      await bench.given(operation.id, await input())
      return bench.blocked(`POST was answered ${post.answer.status} and then succeeded`, 'see the checks of that operation first')
    }
    // A backend that refuses now and then is no difference between methods.
    const put = first.answer.ok ? first : await effectOf('PUT')
    expect(put.answer, 'PUT where POST succeeds').toSucceed()
    // What neither changes, or what is the same after both, is no difference.
    const same = !post.changed || isDeepStrictEqual(put.after, post.after)
    expect(same, 'PUT changes the state as POST does').toBe(true)
  },
})
