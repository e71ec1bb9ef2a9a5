/** What the operator of a server configures beside the API: read by engines when they need it, for it may come late. */
export interface OperatorSettings {
  /** PKCS#11 modules by the names of their library stanzas, with the variables that they are loaded with. */
  libraries: Record<string, { module: string; environment: Record<string, string> }>
  /** Proxy for requests to cloud providers, and PEM of the authority that is trusted beside the usual ones; undefined: straight and usual. */
  cloud: { proxy: string; caPem: string } | undefined
  /** The one namespace beside the root in which restricted system paths work; with trailing slash. */
  administrativeNamespace: string
}

/** What can be told to a server that runs already. */
export type LateSettings = Partial<Pick<OperatorSettings, 'libraries' | 'cloud'>>
