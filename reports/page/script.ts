/** The script of every page, as one text made of the files in client/. */
import { readFileSync } from 'node:fs'

/** Each after those that it imports. */
const FILES = ['dom.js', 'address.js', 'copy.js', 'list.js', 'keys.js', 'main.js']

const read = (file: string): string => readFileSync(new URL(`./client/${file}`, import.meta.url), 'utf8').replaceAll('\r\n', '\n')

/** In one text there is nothing to import or export. */
const alone = (code: string): string => code.replace(/^import .*\n/gm, '').replace(/^export /gm, '')

export const SCRIPT = FILES.map((file) => alone(read(file))).join('\n')
