/** What programs that the reference starts may know of the environment: never a token of the user who started them. */

const NEEDED = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR']

/** The environment of a started program. @param more what it needs besides, by name. */
export const programEnvironment = (more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(NEEDED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
  ...more,
})
