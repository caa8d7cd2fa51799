/** A link of our Markdown; the label alone if the address is not one of the web. */
export function markdownLink(target: string, label: string): string {
  const text = label.replaceAll('[', '(').replaceAll(']', ')').replaceAll('\n', ' ').trim()
  if (!/^(?:https?:\/\/|mailto:)\S/i.test(target)) return text || target
  if (text === '' || text === target) return target.replace(/^mailto:/i, '')
  const address = target
    .replaceAll(' ', '%20')
    .replaceAll('(', '%28')
    .replaceAll(')', '%29')
    .replaceAll('\n', '')
  return `[${text}](${address})`
}
