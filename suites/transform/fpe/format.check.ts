/** The format is kept and decoding gives the value back, for any alphabet, template and value. */
import { type CheckContext, property } from '../../../harness/checks/index.ts'
import { newScheme, newTweak, type Scheme } from '../fixtures.ts'
import { corners, patternOf, type Shape, shapes } from './shapes.ts'

const CLAUSES = [
  'TRANSFORM-ENCODE-01',
  'TRANSFORM-FORMAT-01',
  'TRANSFORM-FORMAT-02',
  'TRANSFORM-FORMAT-03',
  'TRANSFORM-DECODE-01',
  'TRANSFORM-FORMAT-04',
  'TRANSFORM-FORMAT-05',
  'TRANSFORM-FORMAT-12',
]

// One transformation for all values of a shape: what is made once is used again.
const schemeFor = ({ bench }: CheckContext, shape: Shape): Promise<Scheme> => {
  const pattern = patternOf(shape)
  return bench.memo(`${shape.letters} ${pattern}`, () => newScheme(bench, 'fpe', { letters: shape.letters, pattern }))
}

const holds = async (context: CheckContext, shape: Shape): Promise<void> => {
  const { bench, expect } = context
  const scheme = await schemeFor(context, shape)
  const value = `${shape.before}${shape.group}${shape.after}`
  const answer = await scheme.encode(value)
  await bench.decide('TRANSFORM-ENCODE-01', () => {
    expect(answer).toHaveStatus(200)
    expect(typeof answer.data.encoded_value).toBe('string')
  })
  const encoded = String(answer.data.encoded_value)
  const end = encoded.length - shape.after.length
  const group = encoded.slice(shape.before.length, end)
  await bench.decide('TRANSFORM-FORMAT-01', () => expect([...encoded].length, 'characters').toBe([...value].length))
  await bench.decide('TRANSFORM-FORMAT-03', () =>
    expect([encoded.slice(0, shape.before.length), encoded.slice(end)]).toEqual([shape.before, shape.after]),
  )
  await bench.decide('TRANSFORM-FORMAT-02', () =>
    expect(
      [...group].filter((letter) => !scheme.letters.includes(letter)),
      'characters outside the alphabet',
    ).toEqual([]),
  )
  const again = await scheme.encode(value)
  await bench.decide('TRANSFORM-FORMAT-05', () => expect(again.data.encoded_value, 'encoded again').toBe(encoded))
  const decoded = await scheme.decode(encoded)
  await bench.decide('TRANSFORM-DECODE-01', () => {
    expect(decoded).toHaveStatus(200)
    expect(typeof decoded.data.decoded_value).toBe('string')
  })
  await bench.decide('TRANSFORM-FORMAT-04', () => expect(decoded.data.decoded_value === value, 'the value came back').toBe(true))
  const wrong = await scheme.decode(encoded, { tweak: newTweak(bench) })
  // In a domain of a million a wrong tweak may hit the value by chance: only larger ones are judged.
  if (scheme.letters.length ** [...shape.group].length < 1e15) return
  await bench.decide('TRANSFORM-FORMAT-12', () =>
    expect(wrong.ok && wrong.data.decoded_value === value, 'a wrong tweak gives the value').toBe(false),
  )
}

property('transform/format', CLAUSES, 'a format is kept and a value comes back', { runs: [5, 40], first: corners }, shapes, holds)
