import type { ChatAddress } from '../../kernel/chat-address.js'
import type { BaseUrlOf } from './host-identity.js'
import type { ChatUrlOf } from './request-facts.js'
import type { SetupSigns } from './setup-signs.js'

/** The configured address of the chat, or that of the request. */
export function chatUrls(
  address: ChatAddress,
  baseUrlOf: BaseUrlOf | undefined,
  signs: SetupSigns,
): ChatUrlOf {
  return (request) => {
    const configured = baseUrlOf?.(request.raw)
    if (configured !== undefined) return address.at(configured)
    signs.ofAddress(request)
    return address.at(`${request.protocol}://${request.host || 'localhost'}`)
  }
}
