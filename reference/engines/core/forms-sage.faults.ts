/** Faults of the conventions: the same text in another form. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isWrite } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine, 'core')

rule(
  'sage-escaped-pairs-lost',
  ['KV-V1-06', 'KV-V2-03'],
  'a character written as two \\u escapes becomes two replacement characters (000, 2.1: request bodies are JSON)',
  {
    parseBody: (original) => (bytes, request) => {
      const sent = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      if (!isWrite(request) || !/\\ud[89ab]/i.test(sent.toString('latin1'))) return original(bytes, request)
      const halves = /\\(?:ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|[\s\S])/gi
      const read = sent.toString('utf8').replace(halves, (source) => (source.length === 12 ? '\ufffd\ufffd' : source))
      return original(Buffer.from(read), request)
    },
  },
)
