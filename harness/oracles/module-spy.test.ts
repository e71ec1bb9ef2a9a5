import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { spiedCalls, spiedOn } from './module-spy.ts'

const call = (name: string, ...lines: string[]): string => `\n7: ${name}\n2026-01-01 00:00:00.000\n${lines.join('\n')}\n`
const returned = 'Returned:  0 CKR_OK\n'

it('counts calls that are in the module at once, sessions and signatures', () => {
  const log = [
    call('C_OpenSession', '[in] slotID = 0x1', '[in] flags = 0x4'),
    returned,
    call('C_OpenSession', '[in] slotID = 0x1', '[in] flags = 0x6'),
    returned,
    call('C_Sign', '[in] hSession = 0x1'),
    call('C_GenerateKeyPair', '[in] pMechanism->type = CKM_RSA_PKCS_KEY_PAIR_GEN'),
    returned,
    call('C_SignInit', '[in] hSession = 0x2', '[in] pMechanism->type = CKM_RSA_PKCS_PSS    ', '->hashAlg = CKM_SHA384  '),
    returned,
    call('C_Sign', '[in] hSession = 0x2'),
    returned,
    returned,
  ].join('')
  expect(spiedCalls(log)).toEqual({ sessions: [false, true], atOnce: 2, signatures: 2, signedBy: ['CKM_RSA_PKCS_PSS CKM_SHA384'] })
  expect(spiedCalls('')).toEqual({ sessions: [], atOnce: 0, signatures: 0, signedBy: [] })
})

it('leaves out what another process does that begins or ends meanwhile', () => {
  const log = [call('C_Sign'), call('C_CloseSession'), call('C_Finalize'), returned, call('C_Sign'), returned, returned, returned].join('')
  expect(spiedCalls(log)).toEqual({ sessions: [], atOnce: 1, signatures: 2, signedBy: [] })
})

it('knows signatures that are being made, whatever returns meanwhile', () => {
  const signed = `[out] pSignature[*pulSignatureLen] 00000000  1F\n${returned}`
  const slots = call('C_GetSlotList') + returned
  const two = `${call('C_Sign')}${slots}${call('C_Sign')}${slots}`
  expect(spiedCalls(`${two}${call('C_Sign')}${signed}${signed}${signed}`).atOnce).toBe(3)
  expect(spiedCalls(`${two}${signed}${call('C_Sign')}${signed}${signed}`).atOnce).toBe(2)
  expect(spiedCalls(`${call('C_Sign')}Returned:  5 CKR_GENERAL_ERROR\n${call('C_Sign')}${signed}`).atOnce).toBe(1)
})

it('reads what two threads write into one line', () => {
  const log = `${call('C_Sign')}${call('C_Sign')}[out] pSignature[*pulSignatureLen] 00000000  1F 2B ${returned} 33 44\n${returned}${call('C_Sign')}`
  expect(spiedCalls(log)).toEqual({ sessions: [], atOnce: 2, signatures: 3, signedBy: [] })
})

it('reads what was written while it worked, and nothing before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-spy-'))
  const path = join(folder, 'spy.log')
  writeFileSync(path, call('C_Sign') + returned)
  const { result, calls } = await spiedOn(path, async () => {
    await appendFile(path, call('C_Sign') + returned)
    return 'done'
  })
  rmSync(folder, { recursive: true })
  expect(result).toBe('done')
  expect(calls).toEqual({ sessions: [], atOnce: 1, signatures: 1, signedBy: [] })
})
