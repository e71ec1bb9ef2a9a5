/** Texts in a list that an answer shows. */

/** The items of a list as texts: a text as it stands, anything else as JSON. Anything but a list has none. */
export const textsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.map((item: unknown) => (typeof item === 'string' ? item : JSON.stringify(item))) : []
