/** The field to which files can be added. */
interface FileField {
  /** Whether files are held above the chat that would be added. */
  isDragging: boolean
  /** Whether files can be added now. */
  readonly hasField: boolean
  addFiles(files: FileList): void
}

/**
 * Adds files to the message that is being written, wherever in the chat they are dropped. Browsers
 * leave the page for files that nothing takes.
 */
export function takeDroppedFiles(chat: HTMLElement, fieldOf: () => FileField | null): void {
  /** Pictures of the chat that are dragged are files too. */
  let isOwn = false
  const follow = (event: DragEvent): void => {
    const { type, dataTransfer } = event
    const isInDialog = event.composedPath().some((each) => each instanceof HTMLDialogElement)
    const field = isInDialog ? null : fieldOf()
    if (field !== null) field.isDragging = false
    // A part of the product may have taken them.
    if (type === 'dragleave' || event.defaultPrevented || isOwn) return
    if (dataTransfer?.types.includes('Files') !== true) return
    event.preventDefault()
    if (field?.hasField !== true) dataTransfer.dropEffect = 'none'
    else if (type === 'drop') field.addFiles(dataTransfer.files)
    else field.isDragging = true
  }
  for (const type of ['dragover', 'dragleave', 'drop'] as const) chat.addEventListener(type, follow)
  chat.addEventListener('dragstart', (event) => {
    isOwn = true
    const [dragged] = event.composedPath()
    // A message may be removed meanwhile: then this does not reach the chat.
    dragged?.addEventListener('dragend', () => (isOwn = false), { once: true })
  })
}
