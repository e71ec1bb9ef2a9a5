/** Texts and names as MariaDB and MySQL read them. */

export const identifier = (name: string): string => `\`${name.replaceAll('`', '``')}\``
export const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
