/** Legal alternatives of what certificates hold: names, subjects, usages, and the chain beside them. */
import { randomBytes } from 'node:crypto'
import { variantsOf } from '../../faults/declare.ts'
import { pkiEngine } from './engine.ts'
import { withRules } from './wrappers.ts'

const { rule, change, declared } = variantsOf(pkiEngine)

rule('common-name-twice', '`common-names`: how often it stands there is open', 'a common name that alt_names has too stands there twice', {
  withCommonName: (original) => (names, commonName, exclude) => {
    const given = original(names, commonName, exclude)
    return { ...given, dns: [...(exclude ? [] : names.dns.filter((name) => name === commonName)), ...given.dns] }
  },
})
rule('emails-by-any-name', '`emails`: that an email is judged by its domain is advised', 'no domain lets an email address in', {
  bareAllowed: (original) => (role, name, domain) => !name.email && original(role, name, domain),
  subdomainAllowed: (original) => (role, name, domain) => !name.email && original(role, name, domain),
  globAllowed: (original) => (role, name, pattern) => !name.email && original(role, name, pattern),
})
rule('subjects-numbered', '`subjects`: further attributes are open', 'a subject has a serial number, also where nobody asked for one', {
  subjectSerial: () => (requested) => requested || randomBytes(10).toString('hex'),
  subject: (original) => (role, commonName) => {
    const subject = original(role, commonName)
    return { ...subject, serial_number: subject.serial_number || '0815' }
  },
})
rule('usages-unrestricted', '`usages-in-certificates`: none, or one that restricts nothing', 'without key usages a certificate has all', {
  keyUsages: (original) => (role, request) => (role.key_usage.length === 0 ? [0, 1, 2, 3, 4] : original(role, request)),
})
rule('extended-usages-unknown', '`usages-in-certificates`: which names are taken is open', 'names of extended usages have no effect', {
  extendedUsageKnown: () => () => true,
  namedUsages: () => () => [],
})
rule('extended-usages-nameless', '`usages-in-certificates`: which names are taken is open', 'extended usages have no names', {
  extendedUsageKnown: () => () => false,
})
change('chain-of-ca-alone', '`supplied-chain`: advised', 'the read of the chain shows the CA alone, and config/ca keeps nothing above it', {
  routes: {
    'pki.readCaChain': withRules(({ chain }) => ({ chain: (authority) => chain(authority).slice(0, 1) })),
    'pki.writeCa': withRules(() => ({ keepsAbove: () => [] })),
  },
})

export const variants = declared
