/** How judges of databases tell a refusal from a failure of their own. */

/** The code of a database's error; empty where there is none. */
export const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '')

/** @returns `refused` where the work ends with an error of one of these codes. Other errors are thrown on. */
export const orRefused = async <T>(work: () => Promise<T>, codes: readonly string[]): Promise<T | 'refused'> => {
  try {
    return await work()
  } catch (error) {
    if (codes.includes(codeOf(error))) return 'refused'
    throw error
  }
}
