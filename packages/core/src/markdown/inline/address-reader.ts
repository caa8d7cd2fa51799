import { createRequire } from 'node:module'

import { isSpace, isWordAt, isWordBefore, labelCharacterLength } from '../characters.js'
import { mayBeginAddress } from './neighbors.js'
import { PathShape } from './path-shape.js'

const require = createRequire(import.meta.url)

// File extensions that are far more common in messages than domains with these endings.
const fileEndings = new Set(['java', 'md', 'mov', 'py', 'zip'])

let known: ReadonlySet<string> | undefined

/** Whether `label` is a top-level domain (IANA's list, lower case) that a bare link may end in. */
function isTopLevelDomain(label: string): boolean {
  return (known ??= loadDomains()).has(label)
}

function loadDomains(): ReadonlySet<string> {
  const domains: readonly string[] = require('tlds')
  return new Set(domains.filter((domain) => !fileEndings.has(domain)))
}

/** A URL or e-mail address found in running text. */
export interface FoundAddress {
  readonly kind: 'url' | 'domain' | 'email'
  readonly start: number
  readonly end: number
}

const closingPunctuation = new Set(`!:;?),.'">`)
const pathStop = /["()\u0002]/
const bitcoinAddress = /^[13][1-9A-HJ-NP-Za-km-z]{25,34}/

/**
 * The addresses in `text`, left to right. An address begins at the start, after whitespace or after
 * an opening mark, and ends before closing punctuation that is followed by whitespace or the end.
 */
export function* findAddresses(text: string): Generator<FoundAddress> {
  let runStart = skipSpace(text, 0)
  while (runStart < text.length) {
    const runEnd = endOfRun(text, runStart)
    if (mayHoldAddress(text, runStart, runEnd)) yield* new AddressRun(text, runStart, runEnd).find()
    runStart = skipSpace(text, runEnd)
  }
}

function mayHoldAddress(text: string, start: number, end: number): boolean {
  if (end - start < 4) return false
  for (let index = start + 1; index < end - 1; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 0x2e || code === 0x40 || code === 0x3a) return true
  }
  return false
}

/** A run of text without whitespace. Every address in it extends to its closing punctuation. */
class AddressRun {
  /** Where the closing punctuation at the end of the run begins. */
  private readonly closingStart: number
  /** Whether the run contains a character that may end a path early. */
  private hasPathStops: boolean | undefined
  private shape: PathShape | undefined

  constructor(
    private readonly text: string,
    private readonly start: number,
    private readonly end: number,
  ) {
    let closingStart = end
    while (closingStart > start && closingPunctuation.has(text[closingStart - 1]!))
      closingStart -= 1
    this.closingStart = closingStart
  }

  *find(): Generator<FoundAddress> {
    let index = this.start
    while (index < this.closingStart) {
      if (!mayBeginAddress(this.text, index)) {
        index += 1
        continue
      }
      const hostEnd = this.endOfHost(index)
      const address =
        this.readUrl(index) ??
        this.readDomain(index, hostEnd) ??
        this.readEmail(index, hostEnd) ??
        this.readBitcoin(index)
      if (address !== undefined) yield address
      // No address can begin between here and the end of the host: none of its characters is an
      // opening mark.
      index = address?.end ?? Math.max(hostEnd, index + 1)
    }
  }

  private readUrl(start: number): FoundAddress | undefined {
    const { text } = this
    if (!text.startsWith('http', start)) return undefined
    const schemeEnd = text.charCodeAt(start + 4) === 0x73 ? start + 5 : start + 4
    if (!text.startsWith('://', schemeEnd)) return undefined
    const hostStart = schemeEnd + 3
    let hostEnd = hostStart
    while (hostEnd < this.end && this.isAuthority(hostEnd)) hostEnd += 1
    if (hostEnd === hostStart) return undefined
    const end = this.readEnd(hostStart + 1, hostEnd)
    return end === undefined ? undefined : { kind: 'url', start, end }
  }

  private readDomain(start: number, hostEnd: number): FoundAddress | undefined {
    const { text } = this
    let domainEnd = hostEnd
    while (domainEnd > start && text.charCodeAt(domainEnd - 1) === 0x2e) domainEnd -= 1
    if (domainEnd < this.closingStart && text.charCodeAt(domainEnd) !== 0x2f) return undefined
    const domain = text.slice(start, domainEnd)
    const lastDot = domain.lastIndexOf('.')
    if (lastDot < 1 || domain.startsWith('.') || domain.includes('..')) return undefined
    if (!isTopLevelDomain(domain.slice(lastDot + 1))) return undefined
    const end = this.readEnd(domainEnd, domainEnd)
    return end === undefined ? undefined : { kind: 'domain', start, end }
  }

  private readEmail(start: number, at: number): FoundAddress | undefined {
    if (at === start || this.text.charCodeAt(at) !== 0x40) return undefined
    const end = this.closingStart
    if (end <= at || this.endOfHost(at + 1) < end) return undefined
    const host = this.text.slice(at + 1, end)
    const lastDot = host.lastIndexOf('.')
    if (lastDot < 1 || host.includes('-', lastDot) || lastDot === host.length - 1) return undefined
    return { kind: 'email', start, end }
  }

  private readBitcoin(start: number): FoundAddress | undefined {
    if (!this.text.startsWith('bitcoin:', start)) return undefined
    const addressStart = start + 'bitcoin:'.length
    const address = bitcoinAddress.exec(this.text.slice(addressStart, addressStart + 36))
    if (address === null || addressStart + address[0].length !== this.closingStart) return undefined
    return { kind: 'url', start, end: this.closingStart }
  }

  /** The shortest allowed end, for the earliest and the latest possible end of the host. */
  private readEnd(earliest: number, hostEnd: number): number | undefined {
    if (this.closingStart <= hostEnd) return Math.max(earliest, this.closingStart)
    if (this.text.charCodeAt(hostEnd) !== 0x2f) return undefined
    const earliestEnd = Math.max(this.closingStart, hostEnd + 1)
    this.hasPathStops ??= pathStop.test(this.text.slice(this.start, this.end))
    if (!this.hasPathStops) return earliestEnd
    this.shape ??= new PathShape(this.text, this.start, this.end)
    return this.shape.endFrom(hostEnd, earliestEnd)
  }

  private endOfHost(start: number): number {
    let end = start
    while (end < this.end) {
      const length = this.text.charCodeAt(end) === 0x2e ? 1 : labelCharacterLength(this.text, end)
      if (length === 0) break
      end += length
    }
    return end
  }

  private isAuthority(index: number): boolean {
    const code = this.text.charCodeAt(index)
    if (code === 0x2e || code === 0x3a || code === 0x40 || code === 0x2d) return true
    return isWordAt(this.text, index) || isWordBefore(this.text, index + 1)
  }
}

function endOfRun(text: string, start: number): number {
  let end = start
  while (end < text.length && !isSpace(text.charCodeAt(end))) end += 1
  return end
}

function skipSpace(text: string, start: number): number {
  let index = start
  while (index < text.length && isSpace(text.charCodeAt(index))) index += 1
  return index
}
