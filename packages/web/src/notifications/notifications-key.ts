import type { Session } from '../session/session.js'

/** Where the browser keeps whether the user wants notifications. */
export function notificationsKey({ url, state }: Session): string {
  return `parley-notify ${url} ${state.me.user_id}`
}
