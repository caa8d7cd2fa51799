import type { InjectionToken } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import type { OrganizationScope } from '../../../storage/index.js'

/** Renders descriptions. The renderer of messages implements it; it depends on channels itself. */
export interface DescriptionRenderer {
  /**
   * Renders Markdown as HTML of at most 8 KiB, without previews of images and pages.
   *
   * @param author whose access decides which references become links.
   * @throws {ChatError} `BAD_REQUEST` if the text exceeds the limits of the renderer.
   */
  renderDescription(scope: OrganizationScope, author: Actor, description: string): Promise<string>
}

export const DescriptionRendererToken: InjectionToken<DescriptionRenderer> =
  Symbol('DescriptionRenderer')
