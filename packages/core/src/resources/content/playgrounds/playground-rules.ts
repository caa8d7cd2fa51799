import { templateScheme, templateVariables } from '../../../domain/url-template.js'
import { ChatError, namedText, type NamedText } from '../../../errors/index.js'
import type { Playground } from './playground-events.js'

/** A playground to be added; all texts are trimmed. */
export type NewPlayground = Omit<Playground, 'id'>

/** Key of the problems that belong to no single field. */
const wholeObject = '__all__'

export const languagePattern = /^[A-Za-z0-9_+,\-./# ]*$/

/**
 * Checks a playground, and that no other one has the same language and name.
 *
 * @throws {ChatError} `VALIDATION_FAILED` with all problems.
 */
export function requireValidPlayground(playground: NewPlayground, isTaken: boolean): void {
  const errors: Record<string, NamedText[]> = {}
  for (const field of ['name', 'pygments_language', 'url_template'] as const) {
    if (playground[field] === '') errors[field] = [namedText('FIELD_BLANK')]
  }
  const general: NamedText[] = []
  if (playground.url_template !== '') {
    const variables = templateVariables(playground.url_template)
    if (variables === undefined || !isWebTemplate(playground.url_template)) {
      errors['url_template'] = [namedText('URL_TEMPLATE_INVALID')]
    } else general.push(...variableProblems(variables))
  }
  if (isTaken) {
    general.push(namedText('PLAYGROUND_TAKEN'))
  }
  if (general.length > 0) errors[wholeObject] = general
  const [first] = Object.values(errors).flat()
  if (first === undefined) return
  const english = Object.entries(errors).map(([field, texts]) => [field, texts.map(String)])
  throw new ChatError('VALIDATION_FAILED', {
    text: first,
    fields: { errors: Object.fromEntries(english) },
  })
}

/** Whether every expansion of the template, for any code, is the URL of a web page. */
function isWebTemplate(template: string): boolean {
  const scheme = templateScheme(template)
  return (scheme === 'https' || scheme === 'http') && template.startsWith('://', scheme.length)
}

function variableProblems(variables: ReadonlySet<string>): readonly NamedText[] {
  if (!variables.has('code')) return [namedText('PLAYGROUND_CODE_MISSING')]
  if (variables.size === 1) return []
  return [namedText('PLAYGROUND_CODE_NOT_ALONE')]
}
