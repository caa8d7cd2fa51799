/** A link of our Markdown; the label alone if the address is not one of the web. */
export function markdownLink(target: string, label: string): string {
  const text = label.replaceAll('\n', ' ').trim()
  if (!isWebAddress(target)) return text || target
  if (text === '' || text === target) return target.replace(/^mailto:/i, '')
  return explicitLink(target, text)
}

/** The same, also where a bare address would not be recognized, such as beside `*`. */
export function explicitLink(target: string, text: string): string {
  const address = target
    .replaceAll(' ', '%20')
    .replaceAll('(', '%28')
    .replaceAll(')', '%29')
    .replaceAll('*', '%2A')
    .replaceAll('`', '%60')
    .replaceAll('\n', '')
  return `[${withBalancedBrackets(text)}](${address})`
}

/** Whether an address can be that of a link. */
export function isWebAddress(target: string): boolean {
  return /^(?:https?:\/\/|mailto:)\S/i.test(target)
}

/** Brackets of a label do not end it if they are balanced. */
function withBalancedBrackets(label: string): string {
  let depth = 0
  for (const character of label) {
    if (character === '[') depth += 1
    else if (character === ']') depth -= 1
    if (depth < 0) break
  }
  if (depth === 0) return label
  return label.replaceAll('[', '&#91;').replaceAll(']', '&#93;')
}
