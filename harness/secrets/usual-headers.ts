/** Headers that say how a message is sent, and nothing of what is in it, as long as their values have the form of such a header. */
import { METHODS } from 'node:http'

const NUMBER = /^\d{1,12}$/
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
const MEDIA_TYPE =
  /^(?:application|text)\/(?:json|problem\+json|html|plain|xml|octet-stream|pkix-cert|pkix-crl|pem-certificate-chain|x-pem-file|ocsp-response|x-www-form-urlencoded)(?: *; *charset="?(?:utf-8|us-ascii|iso-8859-1|utf-16)"?)?$/i
const PRODUCT = /^[A-Za-z-]{2,12}(?:\/\d{1,4}(?:\.\d{1,6}){0,3})?$/

const isDate = (value: string): boolean => HTTP_DATE.test(value) && !Number.isNaN(Date.parse(value))
const isListOf = (value: string, isItem: (item: string) => boolean): boolean => value.split(',').every((item) => isItem(item.trim()))
const oneOf =
  (...words: string[]) =>
  (value: string): boolean =>
    isListOf(value.toLowerCase(), (item) => words.includes(item))

const coding = oneOf('gzip', 'deflate', 'br', 'zstd', 'identity', 'chunked', 'compress')

const FORMS: Record<string, (value: string) => boolean> = {
  allow: (value) => isListOf(value, (item) => item === 'LIST' || METHODS.includes(item)),
  connection: oneOf('close', 'keep-alive', 'upgrade'),
  'content-encoding': coding,
  'content-length': (value) => NUMBER.test(value),
  'content-type': (value) => MEDIA_TYPE.test(value),
  date: isDate,
  'keep-alive': (value) => isListOf(value, (item) => /^(?:timeout|max)=\d{1,5}$/.test(item)),
  'retry-after': (value) => NUMBER.test(value) || isDate(value),
  server: (value) => value.split(' ').every((word) => PRODUCT.test(word.replace(/^\((.*)\)$/, '$1'))),
  'transfer-encoding': coding,
}

/** Whether a header may be shown as it is: any other is judged by its words. */
export const isUsualHeader = (name: string, value: string): boolean => FORMS[name.toLowerCase()]?.(value) === true
