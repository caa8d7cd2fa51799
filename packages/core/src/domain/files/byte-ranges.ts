/** The part of a file that a request asks for: from `start` up to, and not including, `end`. */
export interface RequestedBytes {
  readonly start: number
  readonly end: number
}

/**
 * Parses a `Range` header (RFC 9110, 14.2).
 *
 * @returns undefined for the whole file: if the header asks for the whole file, for several ranges,
 *   or cannot be parsed; `unsatisfiable` if the range starts beyond the end.
 */
export function requestedBytes(
  header: string | undefined,
  size: number,
): RequestedBytes | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size }
  }
  const start = Number(first)
  const end = last === '' ? size : Math.min(Number(last) + 1, size)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'unsatisfiable' : { start, end }
}
