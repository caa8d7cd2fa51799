/** The units of sizes, the largest first. */
const units = [
  ['gigabyte', 1_000_000_000],
  ['megabyte', 1_000_000],
  ['kilobyte', 1000],
] as const

/** The size of a file, for people. */
export function fileSize(bytes: number): string {
  const [unit, size] = units.find(([, least]) => bytes >= least) ?? units[2]
  const format = new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit,
    maximumFractionDigits: 1,
  })
  return format.format(bytes / size)
}
