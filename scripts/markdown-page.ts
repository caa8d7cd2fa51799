const generatedNote = '<!-- Written by `pnpm docs:generate`; edit the code instead. -->\n'

/** A generated page. */
export function page(title: string, ...parts: readonly string[]): string {
  return `${generatedNote}\n${[`# ${title}`, ...parts].join('\n\n')}\n`
}

/** A table of cells that are Markdown themselves. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** The fragment by which GitHub and others link to a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')
}
