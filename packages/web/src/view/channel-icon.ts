import type { TemplateResult } from 'lit'

import { icon } from './icons.js'

export function channelIcon(isPrivate: boolean, isWebPublic: boolean): TemplateResult {
  return icon(isPrivate ? 'lock' : isWebPublic ? 'globe' : 'hash')
}
