/** Faults at the edges: the first, the last, one, many, exactly at a limit. */
import { faultsOf } from '../../mutations/declare.ts'
import { brokerEngine } from './engine.ts'

const { rule } = faultsOf(brokerEngine)

const some = <V>(map: Map<string, V>, from: number, to?: number): Map<string, V> => new Map([...map].slice(from, to))

rule('boundary-first-host', ['BROKER-CREDS-07'], 'of several virtual hosts only the first is permitted (001 4.3, vhosts map)', {
  rightsOfUser: (original) => (rights) => some(original(rights), 0, 1),
})
