import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { keepingSecrets, type SecretKeeper, useCredentials, withoutSecrets } from './credential-guard.ts'
import { Blocked } from './errors.ts'

const keeper = (): SecretKeeper & { known: string[] } => {
  const known: string[] = []
  return {
    known,
    add: (value) => void known.push(value),
    redact: (text) => known.reduce((shown, value) => shown.replaceAll(value, '*'), text),
  }
}

test('a credential is told to the keeper of the run that uses it, and to no other run side by side', async () => {
  const [one, other] = [keeper(), keeper()]
  await Promise.all([
    keepingSecrets(one, async () => {
      await wait(1)
      useCredentials('first', undefined, '')
    }),
    keepingSecrets(other, async () => {
      useCredentials('second')
      await wait(1)
    }),
  ])
  expect([one.known, other.known]).toEqual([['first'], ['second']])
})

test('the keeper of the work around it is told as well, each once', async () => {
  const [outer, inner] = [keeper(), keeper()]
  await keepingSecrets(outer, () => keepingSecrets(inner, () => keepingSecrets(outer, async () => useCredentials('value'))))
  expect([outer.known, inner.known]).toEqual([['value'], ['value']])
})

test('what is thrown out of the work holds no secret: message, remedy, stack and causes', async () => {
  const thrown = await keepingSecrets(keeper(), async () => {
    useCredentials('s3cret-value')
    throw Object.assign(new Blocked('no login with s3cret-value', 'mend s3cret-value'), { cause: new Error('at s3cret-value') })
  }).catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(Blocked)
  const { message, remedy, stack, cause } = thrown as Blocked
  expect([message, remedy, (cause as Error).message]).toEqual(['no login with *', 'mend *', 'at *'])
  expect(`${stack}${(cause as Error).stack}`).not.toContain('s3cret-value')
})

test('a text is shown without the secrets of the work, and as it is outside of any', async () => {
  const shown = await keepingSecrets(keeper(), async () => {
    useCredentials('s3cret-value')
    return withoutSecrets('connecting with s3cret-value')
  })
  expect(shown).toBe('connecting with *')
  expect(withoutSecrets('s3cret-value')).toBe('s3cret-value')
})
