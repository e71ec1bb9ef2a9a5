/** What a random program has of its own at the broker, and what the broker says of the users that it gets. */
import { type Answer, type Bench, comesToHold, type ReadBack } from '../../harness/checks/index.ts'
import { type Credential, type Place, placeFor } from './fixtures.ts'

export type Rights = Record<string, { configure: string; write: string; read: string }>

export interface World {
  place: Place
  /** Names for roles. */
  names: string[]
  /** Two virtual hosts. */
  vhosts: string[]
  /** In the order in which they were issued. */
  issued: Credential[]
  /** Places in `issued` of those whose revocation was acknowledged. */
  revoked: Set<number>
  /** Roles as they were written; absent where requests meet. */
  roles?: ReadBack
}

interface Connected {
  place: Place
  vhosts: string[]
}

const connect = async (bench: Bench): Promise<Connected> => {
  const place = await placeFor(bench)
  const second = bench.fresh('vhost')
  bench.defer(() => place.admin.deleteVhost(second))
  await place.admin.createVhost(second)
  return { place, vhosts: [place.vhost, second] }
}

/** Names that no other program has, on virtual hosts and a connected mount that the programs of one check share. */
export const worldFor = async (bench: Bench, names: number): Promise<World> => {
  return {
    // Another administrator for each program would leave nobody who removes the users of the one before.
    ...(await bench.memo('broker', () => connect(bench))),
    names: Array.from({ length: names }, () => bench.mixedName('role')),
    issued: [],
    revoked: new Set(),
  }
}

export interface Issued {
  answer: Answer
  username: string
  /** Seconds. */
  duration: number
  /** As the broker reports them; undefined where it knows no such user. */
  tags: string[] | undefined
  /** As the broker reports them; our own virtual hosts are called `first` and `second`. */
  rights: Rights
  loggedIn: boolean
}

/** Asks for credentials, and asks the broker what the user is. */
export const issue = async (bench: Bench, role: string, { place, issued, vhosts }: World): Promise<Issued> => {
  const answer = await bench.call('broker.readCreds', { path: { name: role } })
  if (!answer.ok) return { answer, username: '', duration: 0, tags: undefined, rights: {}, loggedIn: false }
  const credential = place.keep(answer)
  issued.push(credential)
  const { username, duration } = credential
  const called = (vhost: string): string => ['first', 'second'][vhosts.indexOf(vhost)] ?? vhost
  const rights = await place.admin.rightsOf(username)
  return {
    answer,
    username,
    duration,
    tags: await place.admin.tagsOf(username),
    rights: Object.fromEntries(rights.map(({ vhost, ...patterns }) => [called(vhost), patterns])),
    loggedIn: await place.login(credential),
  }
}

/** Whether the broker refuses the user now, or comes to do so within the grace time. */
export const refusedInTheEnd = (bench: Bench, place: Place, credential: Credential): Promise<boolean> =>
  comesToHold(bench, async () => !(await place.login(credential)))
