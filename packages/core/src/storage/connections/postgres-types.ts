type Parser = (value: string) => unknown

const isHexadecimal = /^\\x/

/** By the type of a column. A column of another type is a text. */
const parsers: ReadonlyMap<number, Parser> = new Map<number, Parser>([
  [16, (value) => value === 't'], // bool
  [17, bytesOf], // bytea
  [20, Number], // int8
  [21, Number], // int2
  [23, Number], // int4
  [26, Number], // oid
  [700, Number], // float4
  [701, Number], // float8
  [1700, Number], // numeric
])

/**
 * How `pg` reads the values of the chat's statements. Whole numbers of 64 bits are numbers, and
 * parsers that the application has set, for the process or for a connection, are not used.
 */
export const postgresTypes = {
  getTypeParser: (oid: number): Parser => parsers.get(oid) ?? String,
}

/** The session decides between two forms (`bytea_output`). */
function bytesOf(value: string): Buffer {
  if (isHexadecimal.test(value)) return Buffer.from(value.slice(2), 'hex')
  const characters = value.replaceAll(/\\(\\|[0-7]{3})/g, (_, escaped: string) =>
    escaped === '\\' ? escaped : String.fromCharCode(Number.parseInt(escaped, 8)),
  )
  return Buffer.from(characters, 'latin1')
}
