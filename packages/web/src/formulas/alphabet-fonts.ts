import ams from 'katex/dist/fonts/KaTeX_AMS-Regular.woff2'
import caligraphicBold from 'katex/dist/fonts/KaTeX_Caligraphic-Bold.woff2'
import caligraphic from 'katex/dist/fonts/KaTeX_Caligraphic-Regular.woff2'
import frakturBold from 'katex/dist/fonts/KaTeX_Fraktur-Bold.woff2'
import fraktur from 'katex/dist/fonts/KaTeX_Fraktur-Regular.woff2'
import sansSerifBold from 'katex/dist/fonts/KaTeX_SansSerif-Bold.woff2'
import sansSerifItalic from 'katex/dist/fonts/KaTeX_SansSerif-Italic.woff2'
import sansSerif from 'katex/dist/fonts/KaTeX_SansSerif-Regular.woff2'
import script from 'katex/dist/fonts/KaTeX_Script-Regular.woff2'
import typewriter from 'katex/dist/fonts/KaTeX_Typewriter-Regular.woff2'

import type { FormulaFont } from './formula-font.js'

/** Other alphabets, such as those of sets and of calligraphy. */
export const alphabetFonts: readonly FormulaFont[] = [
  ['KaTeX_AMS', ams],
  ['KaTeX_Caligraphic', caligraphicBold, { weight: '700' }],
  ['KaTeX_Caligraphic', caligraphic],
  ['KaTeX_Fraktur', frakturBold, { weight: '700' }],
  ['KaTeX_Fraktur', fraktur],
  ['KaTeX_SansSerif', sansSerifBold, { weight: '700' }],
  ['KaTeX_SansSerif', sansSerifItalic, { style: 'italic' }],
  ['KaTeX_SansSerif', sansSerif],
  ['KaTeX_Script', script],
  ['KaTeX_Typewriter', typewriter],
]
