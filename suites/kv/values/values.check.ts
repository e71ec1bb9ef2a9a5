/** JSON values come back as they were stored: those that are often got wrong first, then any. */
import { property } from '../../../harness/checks/index.ts'
import { expectStored, VERSION_1, VERSION_2, type Version } from '../fixtures.ts'
import { objectTexts, wholeTexts } from './texts.ts'

/** JSON texts of objects that must come back as they were stored. */
const VALUES = [
  '{"string":"plain","empty":"","blank":" ","true":true,"false":false,"null":null}',
  '{"zero":0,"negative":-1,"fraction":0.1,"small":1.5e-7,"large":123456789.25}',
  '{"largest":9007199254740991,"smallest":-9007199254740991}',
  '{"list":[1,"two",null,true,[],[[3]],{"four":4}],"none":[],"object":{}}',
  '{"list":["",[""],{"none":"","list":[""]},false,0,[[]]],"last":["one",""]}',
  '{"deep":{"a":{"b":{"c":{"d":[{"e":null}]}}}}}',
  '{"words":["true","false","null","123","-1","1e3","0","007","NaN","[]","{}"],"true":"true","below":{"text":"false","number":"12.50"},"123":"0"}',
  '{"dates":["2026-01-02T03:04:05Z","2026-01-02"],"durations":["1h","30s"],"base64":"YWJj","one":["item"],"list of one list":[["item"]]}',
  '{"escapes":"quote \\" backslash \\\\ slash / tab \\t line \\n return \\r form \\f back \\b"}',
  '{"unicode":"äöü ß 日本語 العربية 🙂 \\u2028 \\u200b","pairs":["\\ud83d\\ude42 \\uD834\\uDD1E",{"\\ud83d\\ude00":"name"}],"é":"composed","e\\u0301":"decomposed"}',
  '{"lines":"one\\r\\ntwo\\rthree\\n\\nfour\\r\\n","ends":" blank and tab \\t","marks":"\\ufeffmark \\u0085 \\u2029","zones":"2026-01-02T03:04:05+02:00"}',
  '{"markup":"<b>&amp;</b>","template":"{{name}} %s $1","json":"{\\"a\\": 1}"}',
  '{"unescaped once":"C:\\\\new\\\\table\\\\u0041 %41 %2F a+b &quot; \\\\\\\\"}',
  '{"Name":1,"name":2,"NAME":3,"value":"MiXed"}',
  '{"a.b":1,"a":{"b":2,"c.d":{"e.":[{".f":3}]}},"x/y":{"z":4},"list[0]":"first","list":["none"],"$ref":"#/a","a b":5,"a_b":6,"a-b":7,"*":8}',
  '{"data":{"one":1}}',
  '{"data":{"data":{"two":2}}}',
  '{"":"empty name","data":{"data":1},"keys":["x"],"errors":["y"],"__proto__":"name","constructor":1}',
]

/** Whole numbers that a double cannot hold. */
const LONG = ['9007199254740993', '-9223372036854775808', '18446744073709551615', '1234567890123456789']
const NUMBERS = [`{"first":${LONG[0]},"below":{"list":[${LONG.join(',')}]}}`]

type Texts = typeof objectTexts

const roundTrip = (
  version: Version,
  id: string,
  clause: string,
  title: string,
  first: string[],
  runs: [number, number],
  texts: Texts,
): void =>
  property(
    id,
    clause,
    title,
    { runs, first },
    () => texts,
    async ({ bench, expect }, text) => {
      const path = bench.mixedName('key')
      // By the text alone, so that a shrunk one is sent in the same way.
      const method = text.length % 2 === 0 ? 'POST' : 'PUT'
      expect(await bench.call(version.write, { path: { path }, rawBody: version.text(text), method }), `${method} of ${text}`).toSucceed()
      await expectStored(bench, expect, version, path, text)
    },
  )

const ANY = 'any JSON object comes back as it was stored'
const WHOLE = 'any whole number of 64 bits comes back to its last digit'
const numbers = wholeTexts.map((text) => `{"number":${text}}`)

roundTrip(VERSION_1, 'kv/v1-any-value', 'KV-V1-06', ANY, VALUES, [25, 70], objectTexts)
roundTrip(VERSION_2, 'kv/v2-any-value', 'KV-V2-03', ANY, VALUES, [25, 70], objectTexts)
roundTrip(VERSION_1, 'kv/v1-any-number', 'KV-V1-15', WHOLE, NUMBERS, [6, 16], numbers)
roundTrip(VERSION_2, 'kv/v2-any-number', 'KV-V2-29', WHOLE, NUMBERS, [6, 16], numbers)
