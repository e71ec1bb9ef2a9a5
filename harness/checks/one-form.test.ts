import { expect, test } from 'vitest'
import { AssertionFailure, Blocked, Refused } from '../base/errors.ts'
import { oneFormWorks } from './one-form.ts'

const fails = (error: Error) => async () => {
  throw error
}
const works = async () => undefined

test('one form that works is enough, and every form is tried', async () => {
  const tried: string[] = []
  const form = (name: string, then: () => Promise<void>) => async () => {
    tried.push(name)
    await then()
  }
  await oneFormWorks({
    text: form('text', fails(new AssertionFailure('split'))),
    refused: form('refused', fails(new Refused('pki.writeRole', 400, 'no list'))),
    array: form('array', works),
  })
  expect(tried).toEqual(['text', 'refused', 'array'])
})

test('where no form works each is named, and anything but a failure of the form goes on', async () => {
  const none = oneFormWorks({ text: fails(new AssertionFailure('split', 1, 2, 7)), array: fails(new Refused('pki.issue', 400, '')) })
  await expect(none).rejects.toMatchObject({
    name: 'AssertionFailure',
    exchange: 7,
    message: expect.stringMatching(/text: split; array: set-up/),
  })
  await expect(oneFormWorks({ text: fails(new Blocked('gone', '')), array: works })).rejects.toThrow('gone')
})
