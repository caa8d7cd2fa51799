import type { Operation } from '../http/operation.js'
import {
  apiTopics,
  groupNameOf,
  topicOf,
} from '../resources/administration/api-description/index.js'

/** The names of all groups of operations: the topics of the API. */
export const operationGroups: readonly string[] = apiTopics.map(groupNameOf)

/**
 * The ids of the operations that the application switches off.
 *
 * @param names ids of operations, and names of groups.
 * @throws {TypeError} naming every name that is neither.
 */
export function disabledOperationsOf(
  names: readonly string[],
  operations: readonly Operation[],
): ReadonlySet<string> {
  const known = new Set([...operationGroups, ...operations.map(({ id }) => id)])
  const unknown = names.filter((name) => !known.has(name))
  if (unknown.length > 0) {
    throw new TypeError(
      `createChatServer: operations.disabled: there is no operation or group ${unknown.join(', ')}; the groups are ${operationGroups.join(', ')}`,
    )
  }
  const disabled = new Set(names)
  const isDisabled = (operation: Operation): boolean => {
    const topic = topicOf(operation)
    const { id, aliasOf = id } = operation
    if (disabled.has(id) || disabled.has(aliasOf)) return true
    return topic !== undefined && disabled.has(groupNameOf(topic))
  }
  return new Set(operations.filter(isDisabled).map(({ id }) => id))
}
