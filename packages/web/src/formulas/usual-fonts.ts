import main from 'katex/dist/fonts/KaTeX_Main-Regular.woff2'
import mathItalic from 'katex/dist/fonts/KaTeX_Math-Italic.woff2'
import size1 from 'katex/dist/fonts/KaTeX_Size1-Regular.woff2'
import size2 from 'katex/dist/fonts/KaTeX_Size2-Regular.woff2'
import size3 from 'katex/dist/fonts/KaTeX_Size3-Regular.woff2'
import size4 from 'katex/dist/fonts/KaTeX_Size4-Regular.woff2'

import type { FormulaFont } from './formula-font.js'

/** The fonts that nearly every formula needs. */
export const usualFonts: readonly FormulaFont[] = [
  ['KaTeX_Main', main],
  ['KaTeX_Math', mathItalic, { style: 'italic' }],
  ['KaTeX_Size1', size1],
  ['KaTeX_Size2', size2],
  ['KaTeX_Size3', size3],
  ['KaTeX_Size4', size4],
]
