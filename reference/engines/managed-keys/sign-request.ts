/** What a module is asked to do for one test. */
export interface SignRequest {
  pin: string
  slot: string
  tokenLabel: string
  keyLabel: string
  keyId: string
  mechanism: number
  hash: string
  pss: boolean
  /** Makes the key where it is not there. */
  generate: boolean
  curve: string
  bits: number
  /** Opens a session for reading and writing even where it only reads. */
  readWrite: boolean
  /** Makes a key also where there is one: nothing asks for it. */
  anew: boolean
  /** Random bytes, hex. */
  data: string
}
