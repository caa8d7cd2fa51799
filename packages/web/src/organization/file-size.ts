/** The size of a file, for people. */
export function fileSize(bytes: number): string {
  const isLarge = bytes >= 1_000_000
  const format = new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: 1,
  })
  return format.format(bytes / (isLarge ? 1_000_000 : 1000))
}
