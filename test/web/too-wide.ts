/** What of a dialog does not fit into it or the window, or is too small to be met. */
export function tooWide(dialog: Element): string[] {
  const inside = [dialog, ...dialog.querySelectorAll('.settings-body, .options, .tabs')]
  const overflowing = inside.filter((each) => each.scrollWidth > each.clientWidth)
  const controls = [...dialog.querySelectorAll('button, input:not([hidden]), select')]
  const bad = controls.filter((each) => {
    const { left, right, height, width } = each.getBoundingClientRect()
    const isCheckbox = each.matches('[type=checkbox]')
    return left < 0 || right > 320 || (!isCheckbox && (height < 24 || width < 24))
  })
  return [...overflowing, ...bad].map((each) => each.outerHTML.slice(0, 100))
}
