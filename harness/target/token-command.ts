/** A token that a command of the user's prints. */
import { withoutSecrets } from '../base/credential-guard.ts'
import { Blocked } from '../base/errors.ts'
import { endOf, runToEnd } from './user-program.ts'

const WHO = 'the token command'
const WANTED = 'have it print one token and nothing else'
const BY_HAND = 'run it by hand: it has to print one token and end with 0'

/**
 * Runs the command and gives what it prints, without the white space around it.
 *
 * @param timeout milliseconds for it.
 * @param secret told all that it printed before anything else is done with it.
 * @throws Blocked where it fails, takes too long, or prints no token.
 */
export const tokenFromCommand = async (command: string, timeout: number, secret: (value: string) => void): Promise<string> => {
  const ended = await runToEnd(command, '', { timeout, who: WHO, wanted: WANTED })
  const lines = ended.stdout
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  for (const line of lines) secret(line)
  const { failure, stopped, code } = ended
  if (failure !== undefined) throw new Blocked(`${WHO} cannot be started: ${failure.message}`, BY_HAND)
  if (stopped !== undefined) throw stopped
  if (code !== 0) throw new Blocked(withoutSecrets(endOf(ended, WHO)), BY_HAND)
  const [token, more] = lines
  if (token === undefined) throw new Blocked(`${WHO} printed nothing`, BY_HAND)
  if (more !== undefined) throw new Blocked(`${WHO} printed ${lines.length} lines`, WANTED)
  if (/[^\x21-\x7e]/.test(token)) throw new Blocked(`${WHO} printed a blank or a character that no header can carry`, WANTED)
  return token
}
