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
    const changes = async (method: string) => {
      const request = await input()
      const before = await state(request)
      const answer = await bench.call(operation.id, { ...request, method })
      const after = await state(request)
      return { answer, after, changed: !isDeepStrictEqual(before, after) }
    }
    const post = await changes('POST')
    if (!post.answer.ok) bench.blocked(`POST itself was answered ${post.answer.status}`, 'see the checks of that operation first')
    const put = await changes('PUT')
    expect(put.answer, 'PUT where POST succeeds').toSucceed()
    // A mount-wide setting that POST has just made changes no further.
    const same = put.changed === post.changed || isDeepStrictEqual(put.after, post.after)
    expect(same, 'PUT changes the state as POST does').toBe(true)
  },
})
