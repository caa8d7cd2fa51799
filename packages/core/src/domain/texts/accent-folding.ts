import { foldCase } from './folding.js'

const ascii = /^[\0-\x7f]*$/
const markedLetter = /([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu
/** Marks of stress. The other marks of Cyrillic make another letter, such as й. */
const stressedLetter = /(\p{Script=Cyrillic})[\u0300\u0301]+/gu

/** Letters that Unicode does not decompose, as people write them without these letters. */
const replacements: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŧ: 't',
  ĳ: 'ij',
  ŀ: 'l',
  ﬀ: 'ff',
  ﬁ: 'fi',
  ﬂ: 'fl',
  ﬃ: 'ffi',
  ﬄ: 'ffl',
  ﬅ: 'st',
  ﬆ: 'st',
  ς: 'σ',
  ё: 'е',
  ѐ: 'е',
  ѝ: 'и',
}
const replaced = new RegExp(`[${Object.keys(replacements).join('')}]`, 'gu')

/**
 * Canonical form of a word for searches, which ignore case and accents: `café` and `cafe` are equal.
 * Marks of Latin and Greek letters are removed, and those that only show the stress of Cyrillic
 * ones. The marks of other scripts are kept, because they make other letters there.
 */
export function foldAccents(word: string): string {
  const folded = foldCase(word)
  if (ascii.test(folded)) return folded
  return folded
    .normalize('NFD')
    .replaceAll(markedLetter, '$1')
    .normalize('NFC')
    .replaceAll(stressedLetter, '$1')
    .replaceAll(replaced, (letter) => replacements[letter] ?? letter)
}
