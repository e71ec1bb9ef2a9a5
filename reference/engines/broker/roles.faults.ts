import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { insteadOfRefusal } from '../../faults/wrappers.ts'
import { brokerEngine } from './engine.ts'

const { rule, route, declared } = faultsOf(brokerEngine)

rule('role-needs-vhosts', 'BROKER-ROLE-01', 'a role needs virtual hosts', {
  roleOf: (original) => (body) => {
    if (body.vhosts === undefined) throw invalid('vhosts is missing')
    return original(body)
  },
})
rule('role-topics-refused', 'BROKER-ROLE-01', 'a role has virtual hosts or topics, not both', {
  roleOf: (original) => (body) => {
    if (body.vhosts !== undefined && body.vhost_topics !== undefined) throw invalid('vhosts and vhost_topics exclude each other')
    return original(body)
  },
})
route(
  'role-unknown-empty',
  'BROKER-ROLE-04',
  'an unknown role reads as an empty one',
  'broker.readRole',
  insteadOfRefusal(() => secret({ tags: '', vhosts: '', vhost_topics: '' })),
)
/** Reads broken JSON as nothing. */
const lenient =
  <T>(original: (text: string) => Map<string, T>) =>
  (text: string): Map<string, T> => {
    try {
      return original(text)
    } catch {
      return new Map()
    }
  }
rule('vhosts-not-json', 'BROKER-VHOSTS-06', 'broken JSON stands for no virtual host', { vhostsOf: lenient })
rule('topics-not-json', 'BROKER-TOPICS-05', 'broken JSON stands for no topics', { topicsOf: lenient })

/** A role's JSON with another value for patterns other than texts. */
const patterned = (text: string, otherwise: (value: Json) => Json): string => {
  try {
    return JSON.stringify(
      JSON.parse(text, (key, value: Json) =>
        /^(configure|write|read)$/.test(key) && typeof value !== 'string' ? otherwise(value) : value,
      ),
    )
  } catch {
    return text
  }
}
for (const [name, rights, clause] of [
  ['vhosts', 'vhostsOf', 'BROKER-VHOSTS-08'],
  ['topics', 'topicsOf', 'BROKER-TOPICS-08'],
] as const)
  rule(`${name}-pattern-objects-empty`, clause, `patterns of ${name} that are objects or lists count as empty`, {
    [rights]: (original: (text: string) => unknown) => (text: string) => original(patterned(text, () => '')),
  })

export const faults = declared
