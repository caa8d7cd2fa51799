export { englishTexts } from './english/index.js'
export {
  isTextName,
  NamedText,
  namedText,
  placeholdersOf,
  type TextName,
  type TextValue,
  type TextValues,
  type ValuesArgument,
} from './named-text.js'
export type { Language } from './language.js'
export {
  english,
  englishWriter,
  Translator,
  type TextWriter,
  type TextsOption,
} from './translator.js'
export { writtenTime } from './written-time.js'
export { textsProblem } from './texts-problem.js'
