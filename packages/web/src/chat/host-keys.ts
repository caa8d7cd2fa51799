/**
 * Shortcuts of the surrounding page see the element as the target of a key, not the text field in
 * it, and would take what the user writes.
 */
export function keepKeys(host: HTMLElement): void {
  host.addEventListener('keydown', (event) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    const target = event.composedPath()[0]
    const isEditable =
      target instanceof HTMLElement && target.matches('input, textarea') && target !== host
    if (isPlain && isEditable) event.stopPropagation()
  })
}
