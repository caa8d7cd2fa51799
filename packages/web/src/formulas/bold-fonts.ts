import mainBold from 'katex/dist/fonts/KaTeX_Main-Bold.woff2'
import mainBoldItalic from 'katex/dist/fonts/KaTeX_Main-BoldItalic.woff2'
import mainItalic from 'katex/dist/fonts/KaTeX_Main-Italic.woff2'
import mathBoldItalic from 'katex/dist/fonts/KaTeX_Math-BoldItalic.woff2'

import type { FormulaFont } from './formula-font.js'

/** Bold and italic letters. */
export const boldFonts: readonly FormulaFont[] = [
  ['KaTeX_Main', mainBold, { weight: '700' }],
  ['KaTeX_Main', mainBoldItalic, { weight: '700', style: 'italic' }],
  ['KaTeX_Main', mainItalic, { style: 'italic' }],
  ['KaTeX_Math', mathBoldItalic, { weight: '700', style: 'italic' }],
]
