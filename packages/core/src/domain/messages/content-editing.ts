import { badRequest } from '../../errors/index.js'
import type { OrganizationSettings } from '../organizations/organization-settings.js'

/** How long after the time limit an edit or a move is still accepted, in seconds. */
export const editGraceSeconds = 20

/** A requested change of a message's content. */
export interface RequestedContentEdit {
  /** Whether it is the editor's own message. */
  readonly isOwn: boolean
  readonly ageSeconds: number
  /** How long after the time limit it is still accepted: {@link editGraceSeconds}, or 0. */
  readonly graceSeconds: number
}

/**
 * Rejects edits of a message's content that the organization does not allow; no role overrides it.
 *
 * @throws {ChatError} `BAD_REQUEST` if editing is disabled, if the message is another user's, or if
 *   it is too old.
 */
export function requireContentEditable(
  settings: Pick<
    OrganizationSettings,
    'allow_message_editing' | 'message_content_edit_limit_seconds'
  >,
  { isOwn, ageSeconds, graceSeconds }: RequestedContentEdit,
): void {
  if (!settings.allow_message_editing) {
    throw badRequest('MESSAGE_EDITING_DISABLED')
  }
  if (!isOwn) throw badRequest('MESSAGE_EDITING_NOT_ALLOWED')
  const limit = settings.message_content_edit_limit_seconds
  if (limit !== null && ageSeconds > limit + graceSeconds) {
    throw badRequest('MESSAGE_TOO_OLD_TO_EDIT')
  }
}
