/** What a program that we start learns of our environment: tokens and passwords of a run may stand there. */

const PASSED_ON = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'TMPDIR', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH']

/**
 * A small environment.
 *
 * @param own variables of the program's own.
 * @param names further variables that it needs, where we have them.
 */
export const programEnvironment = (own: Record<string, string> = {}, names: readonly string[] = []): Record<string, string> => {
  const passed = [...PASSED_ON, ...names].flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const]))
  return { ...Object.fromEntries(passed), ...own }
}
