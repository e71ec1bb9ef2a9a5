/**
 * Subject fields as long as the standards of certificates let them be: the upper bounds of RFC 5280, and of X.520 for streets and postal
 * codes. A country has two letters always, and a serial number of 64 characters fits the attribute alone.
 */

/** The longest common name. */
export const COMMON_NAME = 64

const filled = (start: string, length: number): string => start.padEnd(length, 'n')

/** A field with its clause for roles, and for roots; its attribute in a subject; its longest value. */
export const longest = {
  ou: { clause: 'PKI-OU-02', ofRoots: 'PKI-SUBJECT-01', attribute: 'OU', value: filled('Unit with a long name ', 64) },
  organization: { clause: 'PKI-ORG-02', ofRoots: 'PKI-SUBJECT-02', attribute: 'O', value: filled('Organization with a long name ', 64) },
  locality: { clause: 'PKI-LOCALITY-02', ofRoots: 'PKI-SUBJECT-04', attribute: 'L', value: filled('Town with a long name ', 128) },
  province: { clause: 'PKI-PROVINCE-02', ofRoots: 'PKI-SUBJECT-05', attribute: 'ST', value: filled('Province with a long name ', 128) },
  street_address: {
    clause: 'PKI-STREET-02',
    ofRoots: 'PKI-SUBJECT-06',
    attribute: 'STREET',
    value: filled('Street with a long name ', 128),
  },
  postal_code: { clause: 'PKI-POSTAL-02', ofRoots: 'PKI-SUBJECT-07', attribute: 'postalCode', value: '3000'.padEnd(40, '0') },
} as const

/** An authority's name of that length: a host name, as servers take what may be one for it, with labels within their own bound. */
export const longName = (start: string): string => filled(`${start}.`, COMMON_NAME)
