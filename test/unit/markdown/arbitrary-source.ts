import fc from 'fast-check'
import { examples } from './examples.js'

const marks = [
  ...['*', '**', '***', '_', '~~', '`', '``', '```', '~~~', '$$', '$', '#', '##', '@', '@_', '|'],
  ...['[', ']', '](', ')', '(', '![', '<', '>', '"', "'", '\\', '&', ';', ':', ',', '.', '!', '?'],
  ...['- ', '* ', '+ ', '1. ', '12. ', '> ', '>', '# ', '---', '***\n', '|---|---|', ' | ', ':--'],
  ...['  ', '    ', '\t', '\n', '\n\n', '\r\n', ' ', '\u0002', '\u0003', '\u2028', '\u202e'],
]

const words = [
  ...['rake', 'beds', 'Сад', '畑', '🐙', '❤️', '👍🏽', '1️⃣', '🇫🇷', '👩‍🌾', ':octopus:', ':sprout:'],
  ...['@**Mira Okafor**', '@**all**', '@**topic**', '@**|31**', '@*night crew*', '@**nobody**'],
  ...['#**garden**', '#**garden>weekend plans**', '#**garden>weekend plans@700**', '#**nope**'],
  ...['https://soil.example/leek.png', 'https://soil.example', 'soil.org', 'grow@soil.org'],
  ...['/user_uploads/2/ab/leaf.png', '/user_uploads/2/ij/song.mp3', 'PLOT-12', 'ab/cd#34'],
  ...['find:red&blue', '<time:2031-04-09>', '<time:', 'javascript:alert(1)', 'data:text/html,x'],
  ...['&copy;', '&#106;', '&amp', '<script>', '</p>', '<!--', ':)', '<3', 'youtu.be/abc_DEF-123'],
  ...['quote', 'spoiler Who?', 'math', 'py', 'js', '\\frac{1}{2}', '\\href{javascript:x}{y}'],
]

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...marks) },
  { weight: 5, arbitrary: fc.constantFrom(...words) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
)

/** Sources made of the building blocks of the dialect in any order. */
export const arbitrarySource: fc.Arbitrary<string> = fc.oneof(
  fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
  fc
    .array(fc.constantFrom(...examples.examples.map(({ input }) => input)), { maxLength: 6 })
    .chain((inputs) =>
      fc.constantFrom('\n', '\n\n', ' ', '').map((separator) => inputs.join(separator)),
    ),
)
