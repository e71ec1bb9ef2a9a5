/** Transformations that are written again in one field: they do what a new one with the same body does. */
import { type Bench, type JsonObject, rewritten, type Setting } from '../../../harness/checks/index.ts'
import { DIGITS, newTemplate, newTweak, newValue, using, WRITES } from '../fixtures.ts'
import { asking, newText } from '../tokens/fixtures.ts'

/** Pairs of values for one field; what others have is the same. */
const pairs = (body: JsonObject, fields: Record<string, readonly [unknown, unknown]>): [what: string, bodies: [JsonObject, JsonObject]][] =>
  Object.entries(fields).map(([field, [one, other]]) => [
    field,
    [{ ...body, [field]: one } as JsonObject, { ...body, [field]: other } as JsonObject],
  ])

/** Which characters of a value stay, and what is given and needed to encode. */
const coded = (bench: Bench, roles: readonly string[], value: string, kind: 'fpe' | 'masking') => async (name: string) => {
  const seen: JsonObject[] = []
  for (const role of roles) {
    await bench.given('transform.writeRole', { path: { name: role }, body: { transformations: [name] } })
    for (const tweak of kind === 'fpe' ? [undefined, newTweak(bench)] : [undefined]) {
      const answer = await using(bench, role, name, tweak).encode(value)
      const encoded = String(answer.data.encoded_value ?? '')
      // With a source that takes no tweak from the caller it is open what one does.
      if (tweak !== undefined && seen.at(-1)?.ok === true) continue
      seen.push({
        ok: answer.ok,
        halves: [encoded.slice(0, 17) === value.slice(0, 17), encoded.slice(17) === value.slice(17)],
        masked: kind === 'masking' ? encoded.replace(/[0-9]/g, '0') : null,
        tweak: typeof answer.data.tweak === 'string',
      })
    }
  }
  return seen
}

for (const kind of ['fpe', 'masking'] as const)
  for (const older of [false, true])
    rewritten(
      `transform/${kind}-rewritten${older ? '-older' : ''}`,
      kind === 'fpe' ? 'TRANSFORM-FPE-09' : 'TRANSFORM-MASKING-08',
      `a transformation for ${kind} does what was written last, field by field`,
      {
        operations: { write: older ? 'transform.writeTransformation' : WRITES[kind], read: 'transform.readTransformation' },
        async settings({ bench }): Promise<Setting[]> {
          const [one, two] = [
            await newTemplate(bench, DIGITS, '([0-9]{16})-[0-9]{16}'),
            await newTemplate(bench, DIGITS, '[0-9]{16}-([0-9]{16})'),
          ]
          const roles = [bench.mixedName('one'), bench.mixedName('two')]
          const value = `${newValue(bench, DIGITS, 16)}-${newValue(bench, DIGITS, 16)}`
          const own: Record<string, readonly [unknown, unknown]> =
            kind === 'fpe' ? { tweak_source: ['supplied', 'internal'] } : { masking_character: ['#', 'x'] }
          const base: JsonObject = {
            ...(older ? { type: kind } : {}),
            template: one,
            allowed_roles: roles,
            ...(kind === 'fpe' ? { tweak_source: 'internal' } : { masking_character: '#' }),
          }
          const more = kind === 'fpe' ? pairs(base, { tweak_source: ['generated', 'internal'] }) : []
          return [
            ...pairs(base, { template: [one, two], allowed_roles: [[roles[0]], [roles[1]]], ...own }),
            ...pairs(base, { allowed_roles: [roles, [roles[1]]] }),
            ...more,
          ].map(([what, bodies]) => ({ what, bodies, look: coded(bench, roles, value, kind) }))
        },
      },
    )

rewritten('transform/tokenization-rewritten', 'TRANSFORM-TOKENIZATION-03', 'a tokenization does what was written last, field by field', {
  operations: { write: 'transform.writeTokenization', read: 'transform.readTransformation' },
  async settings({ bench }): Promise<Setting[]> {
    const roles = [bench.mixedName('one'), bench.mixedName('two')]
    const base: JsonObject = { allowed_roles: roles, max_ttl: '2h', mapping_mode: 'default' }
    const look = async (name: string) => {
      const seen: JsonObject[] = []
      for (const role of roles) {
        await bench.given('transform.writeRole', { path: { name: role }, body: { transformations: [name] } })
        const tokens = asking(bench, role, name)
        const before = Date.now()
        const answer = await tokens.encode(newText(bench))
        const end = answer.ok ? (await tokens.metadata(String(answer.data.encoded_value))).data.expiration_time : null
        // Whole hours, since no two tokens end at the same moment.
        const hours = typeof end === 'string' ? Math.round((Date.parse(end) - before - bench.clockSkew * 1_000) / 3_600_000) : null
        seen.push({ ok: answer.ok, hours: Number.isFinite(hours) ? hours : null })
      }
      return seen
    }
    return pairs(base, { max_ttl: ['2h', '5h'], allowed_roles: [[roles[0]], [roles[1]]] }).map(([what, bodies]) => ({ what, bodies, look }))
  },
})
