import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { expectStored, VERSION_1, VERSION_2, type Version } from '../fixtures.ts'

/** JSON texts of objects that must come back as they were stored. */
const VALUES = [
  '{"string":"plain","empty":"","blank":" ","true":true,"false":false,"null":null}',
  '{"zero":0,"negative":-1,"fraction":0.1,"small":1.5e-7,"large":123456789.25}',
  '{"largest":9007199254740991,"smallest":-9007199254740991}',
  '{"list":[1,"two",null,true,[],[[3]],{"four":4}],"none":[],"object":{}}',
  '{"deep":{"a":{"b":{"c":{"d":[{"e":null}]}}}}}',
  '{"escapes":"quote \\" backslash \\\\ slash / tab \\t line \\n return \\r form \\f back \\b"}',
  '{"unicode":"äöü ß 日本語 العربية 🙂 \\u2028 \\u200b","é":"composed","e\\u0301":"decomposed"}',
  '{"markup":"<b>&amp;</b>","template":"{{name}} %s $1","json":"{\\"a\\": 1}"}',
  '{"Name":1,"name":2,"NAME":3,"value":"MiXed"}',
  '{"":"empty name","data":{"data":1},"keys":["x"],"errors":["y"],"__proto__":"name","constructor":1}',
]

/** JSON texts of objects whose way back is open. */
const EDGES = {
  'lone surrogate': '{"a":"\\ud800"}',
  NUL: '{"a":"\\u0000"}',
  'beyond double': '{"a":1e400}',
  'many digits': '{"a":0.1234567890123456789012345}',
  'trailing zero': '{"a":1.0}',
  'empty object': '{}',
}

const roundTrip = (version: Version, id: string, clause: string): void =>
  check(id, clause, 'every kind of JSON value comes back as it was stored', async ({ bench, expect }) => {
    for (const text of VALUES) {
      const path = bench.fresh('key')
      expect(await bench.call(version.write, { path: { path }, rawBody: version.text(text) }), text).toSucceed()
      await expectStored(bench, expect, version, path, text)
    }
  })

/** Whole numbers that a double cannot hold. */
const WHOLE = ['9007199254740993', '-9223372036854775808', '18446744073709551615', '1234567890123456789']

const wholeNumbers = (version: Version, id: string, clause: string): void =>
  check(id, clause, 'whole numbers beyond 2^53 come back to their last digit', async ({ bench, expect }) => {
    const path = bench.fresh('key')
    const text = `{"first":${WHOLE[0]},"below":{"list":[${WHOLE.join(',')}]}}`
    expect(await bench.call(version.write, { path: { path }, rawBody: version.text(text) }), text).toSucceed()
    await expectStored(bench, expect, version, path, text)
  })

const edges = (version: Version, id: string, clause: string): void =>
  check(id, clause, 'how values at the edge of JSON come back', async ({ bench }) => {
    const seen: JsonObject = {}
    for (const [name, text] of Object.entries(EDGES)) {
      const path = bench.fresh('key')
      const written = await bench.call(version.write, { path: { path }, rawBody: version.text(text) })
      const read = await bench.call(version.read, { path: { path } })
      const stored = /"data":(\{"data":)?(\{[^{}]*\})/.exec(read.text)?.[2]
      seen[name] = written.ok && read.ok ? `${text} -> ${stored ?? 'elsewhere'}` : `write ${written.status}, read ${read.status}`
    }
    bench.observe(clause, seen)
  })

roundTrip(VERSION_1, 'kv/v1-values', 'KV-V1-06')
roundTrip(VERSION_2, 'kv/v2-values', 'KV-V2-03')
wholeNumbers(VERSION_1, 'kv/v1-whole-numbers', 'KV-V1-15')
wholeNumbers(VERSION_2, 'kv/v2-whole-numbers', 'KV-V2-29')
edges(VERSION_1, 'kv/v1-edge-values', 'KV-V1-07')
edges(VERSION_2, 'kv/v2-edge-values', 'KV-V2-25')
