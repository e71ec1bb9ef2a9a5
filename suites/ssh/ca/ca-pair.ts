/** The mount's CA as its checks see it: how a pair is given, where it is shown, what it signs. */
import { type Answer, type Bench, type CheckContext, type JsonObject, type SshKeyPair, sshOracle } from '../../../harness/checks/index.ts'
import { caFields, ownMount, roleWith, signed, userPair } from '../fixtures.ts'

/** Of a check that has the target make a pair, or may. */
export const makesPairs = { ...ownMount, makesKeys: true }

/** Algorithm and key of a public key's line, without comment and line end. */
export const bare = (line: unknown): string => String(line).trim().split(/\s+/).slice(0, 2).join(' ')

export const atConfig = async (bench: Bench): Promise<string> => bare((await bench.call('ssh.readCa')).data.public_key)
export const atRoute = async (bench: Bench): Promise<string> => bare((await bench.call('ssh.readPublicKey', { as: 'none' })).text)

/** The body that stores a pair. */
export const pairBody = (pair: SshKeyPair): JsonObject => ({
  private_key: pair.privateKey,
  public_key: pair.publicKey,
  generate_signing_key: false,
})

/** A certificate that the mount's CA signs now, for a role made for it. */
export const certified = async (context: CheckContext) =>
  signed(context, await roleWith(context.bench, caFields()), { public_key: userPair().publicKey, valid_principals: 'ubuntu' })

export const expectSignedBy = async (context: CheckContext, line: string, ca: string): Promise<void> => {
  context.expect(await sshOracle.isSignedBy(line, ca), 'the signature verifies under the CA').toBe(true)
}

// Every key in the protocol's form begins with the length of its algorithm's name, a number below 256.
const ANY_PUBLIC_KEY = /AAAA[A-P][A-Za-z0-9+/\\]{30,}|BEGIN [A-Z ]{0,40}PUBLIC KEY/

/** Whether an answer shows a public key in one of the usual forms, in whichever member. */
export const showsPublicKey = ({ text }: Answer): boolean => ANY_PUBLIC_KEY.test(text)

/** Whether an answer shows a private key in PEM, in whichever member. */
export const showsPrivateKey = ({ text }: Answer): boolean => /BEGIN [A-Z ]{0,40}PRIVATE KEY/.test(text)
