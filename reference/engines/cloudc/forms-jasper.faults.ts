/** A fault of durations of three units. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isEngineRoute } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine, 'cloudc')

rule(
  'jasper-third-unit',
  'CLOUDC-LEASE-02',
  'of a duration only the first two units count, `1h30m15s` is an hour and a half (000, 4.3: int seconds or duration string)',
  {
    check: (original) => (call, route) => {
      original(call, route)
      if (!isEngineRoute(route)) return
      const cut = ['ttl', 'max_ttl', 'default_ttl'].flatMap((field): [string, string][] => {
        const value = call.body[field]
        const units = typeof value === 'string' && /^(\d+[hms]){3}$/.test(value) ? (value.match(/\d+[hms]/g) ?? []) : []
        return units.length === 3 ? [[field, units.slice(0, 2).join('')]] : []
      })
      if (cut.length > 0) call.body = { ...call.body, ...Object.fromEntries(cut) }
    },
  },
)
