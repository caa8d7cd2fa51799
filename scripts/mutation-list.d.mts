/** A small fault to put into a file, and the tests that must notice it. */
export interface Mutation {
  /** The name of its list, `test/mutations/<area>.json`. */
  readonly area: string
  /** What the fault does, as a sentence without a full stop. */
  readonly title: string
  /** The file to change, relative to the repository. */
  readonly file: string
  /** Occurs in the file exactly once. */
  readonly text: string
  readonly replacement: string
  /** Test files, relative to the repository. */
  readonly tests: readonly string[]
  /** Titles of the cases in them that are run, or parts of titles. All of them if left out. */
  readonly cases?: readonly string[]
  /** Runs the tests on MySQL too. Otherwise they run on SQLite only. */
  readonly database?: 'mysql'
}

/** See `mutation-list.mjs`. */
export function readMutations(root: string): Mutation[]

export function findProblems(root: string, fault: Mutation): string[]

export function withFault(source: string, fault: Mutation): string
