/** What a server says that it is. */
import type { WireAnswer } from './http.ts'

/** Headers in which servers say what they are. */
const TELLING = /^(server|x-powered-by|[\w-]+-(version|app-?name|product))$/
const LONGEST = 200

/** Product and version, as headers and the health endpoint say them; empty where they say nothing. */
export const productOf = (headers: WireAnswer['headers'], version: string | undefined): string => {
  const said = Object.entries(headers).filter(([name, value]) => TELLING.test(name) && value !== '')
  const words = said.map(([name, value]) => (name === 'server' ? value : `${name}: ${value}`))
  return [...words, ...(version === undefined ? [] : [`version ${version}`])].join(', ').slice(0, LONGEST)
}
