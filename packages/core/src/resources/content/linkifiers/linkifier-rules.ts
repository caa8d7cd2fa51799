import { RE2JS, RE2JSException } from 're2js'

import { templateScheme, templateVariables } from '../../../domain/url-template.js'
import { badRequest, ChatError, namedText, type NamedText } from '../../../errors/index.js'
import { compileLinkifiers, isLinkScheme, LinkifierError } from '../../../markdown/index.js'

/** In characters. Every message is matched against every pattern. */
export const maxPatternLength = 2000
/** In characters. */
export const maxTemplateLength = 10_000

/**
 * Checks that a pattern and a template name the same groups and can be used in messages.
 *
 * @throws {ChatError} `BAD_REQUEST` or `VALIDATION_FAILED` with the problem.
 */
export function requireUsableLinkifier(pattern: string, urlTemplate: string): void {
  if (pattern.trim() === '') throw invalidField('pattern', namedText('FIELD_BLANK'))
  const groups = groupNames(pattern)
  const variables = templateVariables(urlTemplate)
  const scheme = templateScheme(urlTemplate)
  // Clients expand templates too, and not all of them check the resulting URL.
  const isSafe = scheme === '' || (scheme !== undefined && isLinkScheme(scheme))
  if (variables === undefined || !isSafe) {
    throw invalidField('url_template', namedText('URL_TEMPLATE_INVALID'))
  }
  const [unknown] = [...variables].filter((name) => !groups.has(name)).sort()
  if (unknown !== undefined) {
    throw badRequest('LINKIFIER_GROUP_NOT_IN_PATTERN', { group: unknown })
  }
  const [unused] = [...groups].filter((name) => !variables.has(name)).sort()
  if (unused !== undefined) {
    throw badRequest('LINKIFIER_GROUP_NOT_IN_TEMPLATE', { group: unused })
  }
  requireCompiling(pattern, urlTemplate)
}

/** The renderer embeds patterns in a larger one, where some valid patterns are invalid. */
function requireCompiling(pattern: string, urlTemplate: string): void {
  try {
    compileLinkifiers([{ pattern, urlTemplate }])
  } catch (error) {
    if (!(error instanceof LinkifierError)) throw error
    throw invalidField('pattern', namedText('LINKIFIER_PATTERN_NOT_COMBINED'))
  }
}

function groupNames(pattern: string): ReadonlySet<string> {
  try {
    return new Set(Object.keys(RE2JS.compile(pattern).namedGroups()))
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    throw invalidField(
      'pattern',
      namedText('LINKIFIER_PATTERN_INVALID', { problem: error.message }),
    )
  }
}

/** A validation error of one field; the response names the field. */
export function invalidField(field: string, text: NamedText): ChatError {
  return new ChatError('VALIDATION_FAILED', {
    text,
    fields: { errors: { [field]: [text.toString()] } },
  })
}
