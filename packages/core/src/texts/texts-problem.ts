import { propertiesOf } from '../kernel/objects.js'

/** The problem with the option `texts`; undefined if it is valid. */
export function textsProblem(value: unknown): string | undefined {
  const { languages = [], translate, ...others } = propertiesOf(value)
  const isRight =
    typeof value === 'object' &&
    value !== null &&
    Object.keys(others).length === 0 &&
    (translate === undefined || typeof translate === 'function') &&
    Array.isArray(languages) &&
    languages.every(isLanguage)
  return isRight
    ? undefined
    : 'must be an object with languages (objects with a lower-case tag and texts) and translate, a function'
}

function isLanguage(value: unknown): boolean {
  const { tag, texts } = propertiesOf(value)
  return (
    typeof tag === 'string' &&
    /^[a-z]{2,3}(-[a-z0-9]{2,8})?$/.test(tag) &&
    Object.values(propertiesOf(texts)).every((text) => typeof text === 'string')
  )
}
