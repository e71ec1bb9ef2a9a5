/** A transcript as a script for sh and curl. */
import { UNSEEN, visible } from '../../specs/meta/unseen.ts'
import type { Capture, Step, Transcript } from './step.ts'

/** Bytes as printf writes them, for characters that nobody would see. */
const printed = (text: string): string =>
  `"$(printf '${[...Buffer.from(text)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}')"`

const plain = (text: string): string => (text === '' ? '' : `'${text.replaceAll("'", `'\\''`)}'`)

/** A text as one word that means itself. */
const quoted = (text: string): string => {
  let done = 0
  let word = ''
  for (const { 0: unseen, index } of text.matchAll(UNSEEN)) {
    word += plain(text.slice(done, index)) + printed(unseen)
    done = index + unseen.length
  }
  return word + plain(text.slice(done)) || "''"
}

/** A word of the shell: placeholders become variables, and nothing else has a meaning. */
const word = (text: string): string =>
  text
    .split(/(\$\{[A-Z][A-Z0-9_]*\})/)
    .map((piece, at) => (at % 2 === 1 ? `"${piece}"` : piece === '' ? '' : quoted(piece)))
    .join('') || "''"

const comment = (text: string): string =>
  visible(text)
    .split('\n')
    .map((line) => `# ${line}`)
    .join('\n')

/**
 * What curl reads with `-K` to send headers, which no list of processes then shows.
 *
 * @param headers values by name.
 */
export const curlConfig = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `header = ${JSON.stringify(`${name}: ${value}`)}\n`)
    .join('')

const headersNote = ({ headers }: Transcript): string =>
  headers.length === 0
    ? ''
    : `\n${comment(`The run also sent ${headers.join(', ')}: give them in a file that ASSAY_CURL='-K FILE' names.`)}`

const patternOf = ({ answer }: Step): string => {
  const body = answer.body.map((piece) => (piece === '' ? '' : word(piece))).join('*')
  return `${quoted(`${answer.status}:`)}${body}`
}

/** A name that a server chose must not become a part of the program that looks for it. */
const captureLine = ({ name, pointer }: Capture): string => {
  const member = pointer.findLast((part) => !/^\d+$/.test(part)) ?? ''
  return /^[\w-]+$/.test(member) ? `${name}=$(member ${member})` : `${name}=''`
}

const hasHeader = (step: Step, wanted: string): boolean => Object.keys(step.headers).some((name) => name.toLowerCase() === wanted)

const sendLine = (step: Step): string => {
  const headers = Object.entries(step.headers).map(([name, value]) => `-H ${word(`${name}: ${value}`)}`)
  const body = step.body === undefined ? [] : [`--data-raw ${word(step.body)}`]
  const untyped = step.body !== undefined && !hasHeader(step, 'content-type') ? ["-H 'Content-Type:'"] : []
  const head = step.method === 'HEAD' ? ['--head'] : []
  return ['send', step.method, word(step.path), ...head, ...headers, ...untyped, ...body].join(' ')
}

const linesOf = (step: Step): string[] => {
  const name = step.operation === '' ? [] : [comment(step.operation)]
  const pause = step.pauseMs === 0 ? [] : [`sleep ${(step.pauseMs / 1000).toFixed(1)}`]
  const taken = step.captures.map(captureLine)
  if (step.part === 'setUp') return [...pause, sendLine(step), ...(step.answer.status < 400 ? ['prepared'] : []), ...taken]
  const isCompared = step.method !== 'HEAD'
  const pattern = isCompared ? patternOf(step) : `${quoted(`${step.answer.status}:`)}*`
  // What was captured is compared by what it is now.
  return [...name, ...pause, sendLine(step), ...taken, `case $status:$body in ${pattern}) ;; *) differs ${step.answer.status} ;; esac`]
}

/**
 * The text of a script.
 *
 * @param curl words that make curl trust the server as the run did.
 */
export const scriptOf = (transcript: Transcript, curl: readonly string[]): string => {
  const { clause, check, title, origin, steps } = transcript
  const lines = (part: Step['part'][]) => steps.filter((step) => part.includes(step.part)).flatMap(linesOf)
  const removals = steps.filter(({ part }) => part === 'cleanUp').map((step) => `  ${sendLine(step)}`)
  return `#!/bin/sh
${comment(`${clause}: ${title}`)}
# Sends what ${check} sent when it found this clause violated, under names of its own, and removes what it made.
# ASSAY_TOKEN: a token that may do everything. ASSAY_URL: the server, default ${origin}. ASSAY_CURL: more words for curl, such as --cacert FILE.${headersNote(transcript)}
# Exit code: 1 the server answers as it did then, 0 it does not, 3 it could not be tried.
set -u
if [ -z "\${ASSAY_TOKEN:-}" ]; then echo 'set ASSAY_TOKEN to a token that may do everything' >&2; exit 2; fi
command -v curl >/dev/null || { echo 'this needs curl' >&2; exit 3; }
URL=\${ASSAY_URL:-${quoted(origin)}}
RUN=r$(od -An -N4 -tx1 /dev/urandom | tr -d ' \\n')
WRONG_TOKEN=assay-never-issued-$RUN
HIDDEN=hidden-$RUN
answer=$(mktemp) || exit 3
number=0

send() { # method, path, words for curl
  method=$1 path=$2
  shift 2
  number=$((number + 1))
  status=$(curl -sS -g --path-as-is --max-time 30 ${curl.join(' ')} \${ASSAY_CURL:-} -o "$answer" -w '%{http_code}' -X "$method" "$@" "$URL$path") || {
    status=000
    : >"$answer"
  }
  body=$(tr -d '\\000 \\t\\r\\n' <"$answer")
}
member() { # the text in the member of this name of the latest answer
  tr -d '\\n' <"$answer" | sed -n "s/.*\\"$1\\" *: *\\[* *\\"\\([^\\"]*\\)\\".*/\\1/p"
}
prepared() {
  case $status in 2* | 3*) ;; *) echo "request $number, which prepares, answered $status" >&2; exit 3 ;; esac
}
differs() { # the status in the run
  [ "$status" = 000 ] && { echo "request $number got no answer" >&2; exit 3; }
  if [ "$status" = "$1" ]; then echo "not again: request $number answered $1 as in the run, with another body"
  else echo "not again: request $number answered $status, and $1 in the run"; fi
  exit 0
}
clean() {
  code=$?
  trap - EXIT
${removals.length === 0 ? '' : `${removals.join('\n')}\n`}  rm -f "$answer"
  exit $code
}
trap clean EXIT
trap 'exit 3' INT TERM
${steps
  .flatMap(({ captures }) => captures)
  .map(({ name }) => `${name}=''`)
  .join('\n')}

${lines(['setUp', 'shown']).join('\n')}

echo 'again: every answer is as it was when ${clause} was found violated'
exit 1
`
}
