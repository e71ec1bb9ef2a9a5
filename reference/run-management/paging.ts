/** Pages of a list, counted from 1. */
import type { JsonObject } from '../core/json.ts'
import { Refusal } from './documents.ts'

export interface Page {
  number: number
  size: number
}

const LARGEST_PAGE = 100

const positive = (query: URLSearchParams, name: string, fallback: number): number => {
  const text = query.get(name)
  if (text === null) return fallback
  const value = Number(text)
  if (!/^[0-9]+$/.test(text) || value < 1 || !Number.isSafeInteger(value)) throw new Refusal(400, `${name} has to be a positive number`)
  return value
}

export interface PagingRules {
  /** Items of a page where the request names no size. */
  defaultPageSize(): number
  /** The page that a request asks for. @throws Refusal 400 for what is not a positive number. */
  page(query: URLSearchParams, defaultSize: number): Page
  slice<T>(items: readonly T[], page: Page): T[]
}

export const pagingRules: PagingRules = {
  defaultPageSize: () => 20,
  page: (query, defaultSize) => ({
    number: positive(query, 'page[number]', 1),
    size: Math.min(positive(query, 'page[size]', defaultSize), LARGEST_PAGE),
  }),
  slice: (items, { number, size }) => items.slice((number - 1) * size, number * size),
}

/** How many pages hold `total` items; an empty list has one empty page. */
export const pagesFor = (total: number, size: number): number => Math.max(1, Math.ceil(total / size))

/** The address of a page, brackets percent-encoded. */
const pageAddress = (path: string, { number, size }: Page): string => `${path}?page%5Bnumber%5D=${number}&page%5Bsize%5D=${size}`

/** `links` of a page: `prev` and `next` are null if that page does not exist. */
export const pageLinks = (path: string, page: Page, pages: number): JsonObject => {
  const to = (number: number) => pageAddress(path, { ...page, number })
  return {
    self: to(page.number),
    first: to(1),
    prev: page.number > 1 ? to(page.number - 1) : null,
    next: page.number < pages ? to(page.number + 1) : null,
    last: to(pages),
  }
}

/** `meta.pagination` of a page. */
export const pageMeta = (page: Page, pages: number, total: number): JsonObject => ({
  'current-page': page.number,
  'prev-page': page.number > 1 ? page.number - 1 : null,
  'next-page': page.number < pages ? page.number + 1 : null,
  'total-pages': pages,
  'total-count': total,
})
