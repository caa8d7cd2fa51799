import type { ParleyChat } from './parley-chat.js'

/**
 * Keeps the chat above an on-screen keyboard that lies over the page, as in Safari. Others make the
 * page smaller, and it has nothing to do.
 */
export function keepAboveKeyboard(chat: ParleyChat): void {
  const { visualViewport } = window
  if (visualViewport === null) return
  const update = (): void => {
    const content = chat.renderRoot.querySelector<HTMLElement>('.chat')
    if (content === null) return
    const { height, offsetTop, scale } = visualViewport
    // Someone who enlarges the page with two fingers sees less of it, too.
    const isEnlarged = scale > 1.01
    const below = content.getBoundingClientRect().bottom - offsetTop - height
    const isWriting = chat.shadowRoot?.activeElement?.matches('textarea, input') === true
    content.style.paddingBottom = isWriting && !isEnlarged && below > 1 ? `${below}px` : ''
  }
  chat.addController({
    hostConnected: () => visualViewport.addEventListener('resize', update),
    hostDisconnected: () => visualViewport.removeEventListener('resize', update),
  })
  for (const type of ['focusin', 'focusout']) chat.addEventListener(type, update)
}
