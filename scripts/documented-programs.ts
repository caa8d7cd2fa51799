import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A page with programs that tests run: the block after each comment with the path of a program gets
 * its text.
 *
 * @throws {Error} if a program does not exist, or no block follows a comment.
 */
export function withPrograms(root: string, path: string): string {
  const page = readFileSync(join(root, path), 'utf8')
  const marker = /^<!-- Program: `(.+)` -->$/gm
  const block = /^(<!-- Program: `(.+)` -->\n\n)```ts\n[^]*?^```$/gm
  const text = page.replaceAll(block, (_, head: string, program: string) => {
    const source = readFileSync(join(root, program), 'utf8')
    return `${head}\`\`\`ts\n${source}\`\`\``
  })
  const counts = [marker, block].map((pattern) => page.match(pattern)?.length ?? 0)
  if (counts[0] !== counts[1]) throw new Error(`${path} has a program without a block after it`)
  return text
}
