/**
 * Maximum depth of KaTeX's parse tree, in which most commands with an argument are two levels. The
 * layout of a level takes longer, the more levels there are: 0.1 s for 450 nested `\overline`.
 */
const maxDepth = 100

/** Whether commands, braces or environments of a formula are nested too deeply to be laid out. */
export function isTooDeep(parseTree: unknown): boolean {
  return hasMoreLevels(parseTree, maxDepth)
}

function hasMoreLevels(part: unknown, levels: number): boolean {
  if (typeof part !== 'object' || part === null) return false
  const left = 'type' in part ? levels - 1 : levels
  if (left < 0) return true
  // The place in the source is no part of the tree.
  return Object.entries(part).some(([key, value]) => key !== 'loc' && hasMoreLevels(value, left))
}
