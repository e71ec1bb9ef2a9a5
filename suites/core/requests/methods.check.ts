import { check, sweep } from '../../../harness/checks/index.ts'
import { storeEntry } from '../fixtures.ts'

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']

// A server may refuse a PATCH for its media type before it looks at the path.
const patch = { method: 'PATCH', rawBody: '{}', headers: { 'Content-Type': 'application/merge-patch+json' } }

sweep({
  id: 'core/unlisted-method',
  clauses: ['CORE-STATUS-08'],
  title: 'an unlisted method is answered with 405',
  kind: 'scenario',
  exclusion: 'method',
  applies: ({ engine, method, parameters, pathMethods }) =>
    engine !== 'core' &&
    !parameters.some((parameter) => parameter.multiSegment) &&
    (method === 'GET' || !pathMethods.includes('GET')) &&
    METHODS.some((unlisted) => !pathMethods.includes(unlisted)),
  async body({ bench, expect, operation, input }) {
    const request = await input()
    if (operation.method === 'POST') await bench.given(operation.id, request)
    for (const method of METHODS.filter((unlisted) => !operation.pathMethods.includes(unlisted))) {
      const { body: _, ...rest } = request
      const answer = await bench.call(operation.id, method === 'PATCH' ? { ...rest, ...patch } : { ...request, method })
      if (answer.ok) bench.observe('CORE-STATUS-08', `${method} is an extension: ${answer.status}`)
      else expect(answer, method).toHaveStatus(405)
    }
  },
})

check('core/key-path-methods', ['CORE-STATUS-09', 'CORE-STATUS-10'], 'HEAD, and unlisted methods on key paths', async ({ bench }) => {
  const { path } = await storeEntry(bench)
  const status = async (method: string) => (await bench.call('kv1.read', { path: { path }, method, observing: true })).status
  bench.observe('CORE-STATUS-09', await status('HEAD'))
  bench.observe('CORE-STATUS-10', { PATCH: await status('PATCH'), OPTIONS: await status('OPTIONS') })
})
