import katexCss from 'katex/dist/katex.min.css'

import type { FormulaFont } from './formula-font.js'
import { usualFonts } from './usual-fonts.js'

/** Formulas of the server are HTML for this style sheet, and MathML for screen readers. */
const ownCss = `
.content .katex-html { display: inline; }
.content .katex-display { margin: 0.5em 0; padding-block: 0.25em; overflow: auto hidden; text-align: center; }
.content .katex-display > .katex { display: block; white-space: nowrap; }
.content .katex-display > .katex > .katex-html { display: block; position: relative; }
`

/** Fonts that few formulas need, by the elements that need them. */
const rareFonts: readonly (readonly [string, () => Promise<readonly FormulaFont[]>])[] = [
  [
    '.textbf, .textit, .mathbf, .mathit, .boldsymbol',
    async () => (await import('./bold-fonts.js')).boldFonts,
  ],
  [
    '.amsrm, .mathbb, .textbb, .mathcal, .mathfrak, .textfrak, .mathboldfrak, .textboldfrak, ' +
      '.mathtt, .texttt, .mathscr, .textscr, .mathsf, .textsf, .mathboldsf, .textboldsf, ' +
      '.mathitsf, .mathsfit, .textitsf',
    async () => (await import('./alphabet-fonts.js')).alphabetFonts,
  ],
]

const added = new Map<string, Promise<unknown>>()
let style: CSSStyleSheet | undefined

/** Shows the formulas in an element as they are printed; it stays as it was if that fails. */
export async function showFormulas(element: Element): Promise<void> {
  const needed = rareFonts.filter(([selector]) => element.querySelector(selector) !== null)
  await Promise.all([
    addOnce('', () => Promise.resolve(usualFonts)),
    ...needed.map(([selector, load]) => addOnce(selector, load)),
  ])
  const root = element.getRootNode()
  if (!(root instanceof ShadowRoot)) return
  if (style === undefined) {
    style = new CSSStyleSheet()
    style.replaceSync(katexCss + ownCss)
  }
  if (!root.adoptedStyleSheets.includes(style)) root.adoptedStyleSheets.push(style)
}

function addOnce(name: string, load: () => Promise<readonly FormulaFont[]>): Promise<unknown> {
  const adding = added.get(name) ?? load().then((fonts) => Promise.all(fonts.map(addFont)))
  added.set(name, adding)
  // The next formula tries again.
  adding.catch(() => added.delete(name))
  return adding
}

/** Fonts that the style sheet of a shadow root declares are not used; those of the document are. */
async function addFont([family, base64, descriptors]: FormulaFont): Promise<void> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  const font = new FontFace(family, bytes.buffer, descriptors)
  await font.load()
  document.fonts.add(font)
}
