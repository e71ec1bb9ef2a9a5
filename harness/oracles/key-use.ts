/** Changes what a key in a token may be used for, which OpenSC's tool cannot: in a process of its own, for a login belongs to a whole process. */
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import type { ModuleHandle, ModuleToken } from '../base/backend-handle.ts'
import { programEnvironment } from '../base/program-environment.ts'
import { turnsOf } from './module-turns.ts'

const DEADLINE = 30_000

/** Arguments: the binding, the module, the slot, the label. The PIN is in the environment. */
const SCRIPT = `
const [binding, file, slot, label] = process.argv.slice(1)
const pkcs11 = require(binding)
const module_ = new pkcs11.PKCS11()
module_.load(file)
module_.C_Initialize()
const found = module_.C_GetSlotList(true).find((one) => one.readBigUInt64LE() === BigInt(slot))
const session = module_.C_OpenSession(found, pkcs11.CKF_SERIAL_SESSION | pkcs11.CKF_RW_SESSION)
module_.C_Login(session, pkcs11.CKU_USER, process.env.ASSAY_PIN)
module_.C_FindObjectsInit(session, [{ type: pkcs11.CKA_CLASS, value: pkcs11.CKO_PRIVATE_KEY }, { type: pkcs11.CKA_LABEL, value: label }])
const [key] = module_.C_FindObjects(session, 1)
module_.C_FindObjectsFinal(session)
module_.C_SetAttributeValue(session, key, [{ type: pkcs11.CKA_SIGN, value: false }])
module_.C_Finalize()
`

/**
 * Takes from a private key the right to sign.
 *
 * @throws Error where the npm package pkcs11js is missing, or where the module does not do it.
 */
export const forbidSigning = async (handle: ModuleHandle, token: ModuleToken, label: string): Promise<void> => {
  const binding = createRequire(import.meta.url).resolve('pkcs11js')
  const args = ['--input-type=commonjs', '-e', SCRIPT, binding, handle.module, token.slot, label]
  const env = programEnvironment({ ...handle.environment, ASSAY_PIN: token.pin })
  await turnsOf(handle).beside(
    () =>
      new Promise<void>((resolve, reject) => {
        execFile(process.execPath, args, { env, timeout: DEADLINE }, (error, _stdout, stderr) => {
          if (error === null) resolve()
          else reject(new Error(`the module did not change the key: ${stderr.trim().split('\n').at(-1) ?? ''}`))
        })
      }),
  )
}
