import { asObject, check } from '../../harness/checks/index.ts'
import { aCheck, aRun, asArray, otherId, show } from './fixtures.ts'

check(
  'policy-checks/show',
  ['POLICY-CHECKS-SHOW-01', 'POLICY-CHECKS-SHOW-02', 'POLICY-CHECKS-SHOW-03', 'POLICY-CHECKS-SHOW-04', 'POLICY-CHECKS-VERSION-01'],
  'show answers with the check asked for',
  async ({ bench, expect }) => {
    const { id } = await aCheck(bench, 'readable-check')
    const { checks } = await aRun(bench, 'run')
    for (const wanted of [id, checks.at(-1) ?? '']) {
      const answer = await show(bench, wanted)
      await bench.decide('POLICY-CHECKS-SHOW-01', () => expect(answer).toSucceed())
      await bench.decide('POLICY-CHECKS-VERSION-01', () => expect(answer).toSucceed())
      await bench.decide('POLICY-CHECKS-SHOW-02', () =>
        expect(asObject(answer.body).data).toEqual(expect.objectContaining({ attributes: expect.anything() })),
      )
      await bench.decide('POLICY-CHECKS-SHOW-03', () => expect(answer.data.id).toBe(wanted))
      await bench.decide('POLICY-CHECKS-SHOW-04', () => expect(answer).toHaveStatus(200))
    }
  },
)

check(
  'policy-checks/show-unknown',
  ['POLICY-CHECKS-SHOW-05', 'POLICY-CHECKS-SHOW-06', 'POLICY-CHECKS-SHOW-09'],
  'an id that no policy check has is refused',
  async ({ bench, expect }) => {
    const { id } = await aCheck(bench, 'readable-check')
    const answer = await show(bench, otherId(bench, id))
    await bench.decide('POLICY-CHECKS-SHOW-05', () => {
      expect(answer).toBeRefused()
      expect(answer.data).toEqual({})
    })
    await bench.decide('POLICY-CHECKS-SHOW-06', () => expect(answer).toHaveStatus(404))
    const errors = asArray(asObject(answer.body).errors)
    await bench.decide('POLICY-CHECKS-SHOW-09', () => {
      const wrong = ['status', 'code', 'title', 'detail', 'id'].filter((member) =>
        errors.some((error) => member in error && typeof error[member] !== 'string'),
      )
      expect(wrong, 'members of an error that are not texts').toEqual([])
      for (const error of errors) if ('status' in error) expect(error.status).toBe(String(answer.status))
    })
    await bench.given('policyChecks.show', { path: { id } })
  },
)

check(
  'policy-checks/media-type',
  'POLICY-CHECKS-MEDIA-01',
  'documents have the media type of the convention',
  async ({ bench, expect }) => {
    const { id } = await aCheck(bench, 'readable-check')
    for (const { headers, operation } of [await show(bench, id), await show(bench, otherId(bench, id))]) {
      expect(headers['content-type']?.split(';')[0]?.trim().toLowerCase(), `media type of ${operation}`).toBe('application/vnd.api+json')
    }
  },
)

check(
  'policy-checks/get-without-content-type',
  'POLICY-CHECKS-MEDIA-02',
  'whether a request without a body may leave out its Content-Type',
  async ({ bench }) => {
    const { id } = await aCheck(bench, 'soft-failed-check')
    const [read, write] = [
      await bench.call('policyChecks.show', { path: { id }, headers: { 'Content-Type': '' }, observing: true }),
      await bench.call('policyChecks.override', { path: { id }, headers: { 'Content-Type': '' }, observing: true }),
    ]
    bench.observe('POLICY-CHECKS-MEDIA-02', { show: read.status, override: write.status })
  },
)

check('policy-checks/output', 'POLICY-CHECKS-SHOW-10', 'what the output link answers', async ({ bench }) => {
  const { id } = await aCheck(bench, 'soft-failed-check')
  const answer = await bench.call('policyChecks.showOutput', { path: { id }, observing: true })
  bench.observe('POLICY-CHECKS-SHOW-10', { status: answer.status, mediaType: answer.headers['content-type'] ?? 'none' })
})
