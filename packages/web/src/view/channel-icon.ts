import type { IconName } from './icons.js'

export function channelIcon(isPrivate: boolean, isWebPublic: boolean): IconName {
  return isPrivate ? 'lock' : isWebPublic ? 'globe' : 'hash'
}
