import { check, gateTo, isBackendFailure } from '../../../harness/checks/index.ts'
import { needs, placeFor } from '../fixtures.ts'
import { kinds } from '../kinds.ts'

for (const kind of kinds)
  check(
    `database/${kind.id}/outage`,
    ['DATABASE-CREDS-09', 'DATABASE-CREDS-10'],
    'without its database a request fails, and works again once it is back',
    needs(kind),
    async ({ bench, expect }) => {
      const gate = await gateTo(bench, bench.backend(kind.id))
      const place = await placeFor(bench, kind, { port: gate.port })
      const role = await place.role()
      await place.credential(role)
      await gate.shut()
      const away = (await place.ask(role)).answer
      await gate.open()
      await bench.decide('DATABASE-CREDS-09', () =>
        expect(isBackendFailure(away.status), `4xx, 500 or 502; it was ${away.status}`).toBe(true),
      )
      await bench.decide('DATABASE-CREDS-10', async () => {
        await bench.eventually(async () => (await place.ask(role)).answer.ok)
      })
    },
  )
