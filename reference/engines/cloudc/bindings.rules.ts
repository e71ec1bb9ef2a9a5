/** Decisions about bindings: how they are read, what they stand for at the provider. */
import { invalid } from '../../core/errors.ts'
import { decodedText, readBindings } from './bindings.ts'
import type { Bindings } from './state.ts'

/** Services whose resources have policies, and how each reads them. */
const services: Readonly<Record<string, 'GET' | 'POST'>> = {
  'cloudresourcemanager.googleapis.com': 'POST',
  'pubsub.googleapis.com': 'GET',
}

const NAMES = [/^\/\/([a-z.]+)\/(projects\/.+)$/, /^https:\/\/([a-z.]+)\/v1\/(projects\/.+)$/]

export const bindingRules = {
  bindingsOf: (text: string): Promise<Bindings> => readBindings(decodedText(text)),
  /** Whether a written text changes what is bound. */
  changesBindings: (before: Bindings, after: Bindings): boolean => JSON.stringify(before) !== JSON.stringify(after),
  boundResources: (bindings: Bindings): Bindings => bindings,
  policyUrls(resource: string): { getUrl: string; setUrl: string; method: 'GET' | 'POST' } {
    const [, host, name] = NAMES.map((form) => form.exec(resource)).find((match) => match !== null) ?? []
    const method = host === undefined ? undefined : services[host]
    if (method === undefined || host === undefined) throw invalid(`bindings: ${resource} is not a resource that can be bound`)
    const url = `https://${host}/v1/${name}`
    return { getUrl: `${url}:getIamPolicy`, setUrl: `${url}:setIamPolicy`, method }
  },
  membersWithout: (members: string[], member: string): string[] => members.filter((one) => one !== member),
  takesBack: (): boolean => true,
  shownBindings: (bindings: Bindings): Bindings => bindings,
}
