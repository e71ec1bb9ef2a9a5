/** What the later faults share. */

export const directoryOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
