import { html, type TemplateResult } from 'lit'

import type { Session } from '../session/session.js'

/** A user's picture. The name is beside it. */
export function avatar(
  session: Session,
  userId: number,
  known: string | null = null,
): TemplateResult {
  const path = session.state.users.get(userId)?.avatar_url ?? known
  return html`<img
    class="avatar"
    part="avatar"
    alt=""
    width="32"
    height="32"
    loading="lazy"
    data-action="user"
    src=${path === null || path === undefined ? 'data:,' : session.address(path)}
  />`
}
