import type { CSSResult } from 'lit'

/** Adds a style sheet that is not loaded at the start. */
export function useStyle(root: ShadowRoot, { styleSheet }: CSSResult): void {
  const used = root.adoptedStyleSheets
  if (styleSheet !== undefined && !used.includes(styleSheet)) used.push(styleSheet)
}
