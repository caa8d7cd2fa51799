import type { TProperties } from 'typebox'

import type { Operation } from '../operation.js'

/**
 * The operations that need neither a connection nor a login: the application's own code calls them
 * by the names that {@link methodName} returns.
 */
export function isCallable({ id, access, undocumented }: Operation): boolean {
  if (undocumented === true || access === 'anyone') return false
  // These belong to the connection of one client.
  return !['get-events', 'create-socket-ticket', 'sign-on'].includes(id)
}

/** The parameters of an operation in calls of the application. */
export function applicationParams({ params, clientParameters = {} }: Operation): TProperties {
  const own = Object.entries(params).filter(([name]) => !Object.hasOwn(clientParameters, name))
  return Object.fromEntries(own)
}

/** The name of an operation as a method: `send-message` is `sendMessage`. */
export function methodName(operationId: string): string {
  return operationId.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
