import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

import { parseSync } from 'oxc-parser'

const folder = join('test', 'mutations')
const required = ['title', 'file', 'text', 'replacement']
const known = new Set([...required, 'tests', 'cases', 'database'])

/**
 * Reads the faults of every area, `test/mutations/<area>.json`, in order.
 *
 * @param root absolute path of the work tree.
 */
export function readMutations(root) {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      const faults = JSON.parse(readFileSync(join(root, folder, name), 'utf8'))
      return faults.map((fault) => ({ area: basename(name, '.json'), ...fault }))
    })
}

/** What is wrong with a fault: a sentence each, none if it can be put in as it stands. */
export function findProblems(root, fault) {
  const { area: _area, ...fields } = fault
  const malformed = [
    ...required
      .filter((name) => typeof fields[name] !== 'string')
      .map((name) => `"${name}" is not a string`),
    ...Object.keys(fields)
      .filter((name) => !known.has(name))
      .map((name) => `"${name}" is not known`),
    ...(isListOfTexts(fields.tests) && fields.tests.length > 0
      ? []
      : ['"tests" is not a list of paths']),
    ...(fields.cases === undefined || isListOfTexts(fields.cases)
      ? []
      : ['"cases" is not a list of titles']),
    ...(fields.database === undefined || fields.database === 'mysql'
      ? []
      : ['"database" is not "mysql"']),
  ]
  if (malformed.length > 0) return malformed
  return [...findProblemsOfFile(root, fields), ...findProblemsOfTests(root, fields)]
}

/** The file with the fault in it. The text occurs in it exactly once. */
export function withFault(source, { text, replacement }) {
  // A function, because `$` means something in a replacement that is a string.
  return source.replace(text, () => replacement)
}

function findProblemsOfFile(root, fault) {
  const { file, text, replacement } = fault
  if (!existsSync(join(root, file))) return [`${file} does not exist`]
  const source = readFileSync(join(root, file), 'utf8')
  const count = text === '' ? 0 : source.split(text).length - 1
  if (count !== 1) return [`the text occurs ${count} times in ${file}, not once`]
  if (text === replacement) return ['the replacement is the text itself']
  const [error] = parseSync(basename(file), withFault(source, fault)).errors
  // Any test notices a file that cannot be loaded.
  return error ? [`${file} is no TypeScript with the fault in it: ${error.message}`] : []
}

function findProblemsOfTests(root, { tests, cases = [] }) {
  const missing = tests.filter((path) => !existsSync(join(root, path)))
  if (missing.length > 0) return missing.map((path) => `${path} does not exist`)
  const sources = tests.map((path) => readFileSync(join(root, path), 'utf8'))
  return cases
    .filter((title) => !sources.some((source) => source.includes(title)))
    .map((title) => `no case "${title}" in ${tests.join(', ')}`)
}

function isListOfTexts(value) {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
