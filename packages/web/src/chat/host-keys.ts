/** The code of keys that an input method has taken. */
const takenKeyCode = 229

/**
 * Shortcuts of the surrounding page see the element as the target of a key, not the text field in
 * it, and would take the typed keys. Keys with which an input method chooses characters do
 * nothing else: no field sees them. Safari sends the last one after the end of the composition.
 */
export function keepKeys(host: HTMLElement): void {
  host.addEventListener('keydown', (event) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    const target = event.composedPath()[0]
    const isEditable =
      target instanceof HTMLElement && target.matches('input, textarea') && target !== host
    if (isPlain && isEditable) event.stopPropagation()
  })
  const hide = (event: KeyboardEvent): void => {
    const target = event.composedPath()[0]
    const isOwn = target instanceof Node && host.shadowRoot?.contains(target) === true
    const isTaken = event.isComposing || event.keyCode === takenKeyCode
    if (isOwn && isTaken) event.stopPropagation()
  }
  host.addEventListener('keydown', hide, { capture: true })
}
