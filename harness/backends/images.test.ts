import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { serviceKindOf } from './backend-kinds.ts'
import { imageOf } from './images.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('images', () => {
  it.each(['postgres', 'mariadb', 'rabbitmq', 'sshd'])('of %s can be named in the environment', (kind) => {
    vi.stubEnv(`ASSAY_IMAGE_${kind.toUpperCase()}`, 'registry.example.com/ours:1')
    expect(imageOf(serviceKindOf(kind))).toMatchObject({ name: 'registry.example.com/ours:1' })
    expect(imageOf(serviceKindOf(kind)).folder).toBeUndefined()
  })
  it('are official ones where there are any', () => {
    for (const kind of ['postgres', 'mariadb', 'rabbitmq']) {
      vi.stubEnv(`ASSAY_IMAGE_${kind.toUpperCase()}`, undefined)
      expect(imageOf(serviceKindOf(kind)).name).toMatch(new RegExp(`^${kind}:\\d+`))
    }
  })
  it('of sshd is built from a folder of the package, under a name that changes with it', () => {
    vi.stubEnv('ASSAY_IMAGE_SSHD', undefined)
    const { name, folder } = imageOf(serviceKindOf('sshd'))
    expect(name).toMatch(/^assay-sshd:[0-9a-f]{12}$/)
    expect(existsSync(join(folder!, 'Dockerfile'))).toBe(true)
  })
})
