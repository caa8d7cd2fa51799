import { propertiesOf } from '../../kernel/objects.js'

/** Whether it is a list of rules, as applications in plain JavaScript may write it. */
export function isRuleList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((rule) => {
      const { windowSeconds, maxRequests } = propertiesOf(rule)
      return (
        Number(windowSeconds) > 0 && Number.isSafeInteger(maxRequests) && Number(maxRequests) > 0
      )
    })
  )
}

/** The form that {@link isRuleList} accepts, for messages. */
export const ruleListForm = 'lists of { windowSeconds, maxRequests }'
