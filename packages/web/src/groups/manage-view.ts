import { useStyle } from '../style/use-style.js'
import { View } from '../view/view.js'
import { manageStyle } from './manage-style.js'

/** Adds the style sheet of the pages for channels and groups. */
export function useManageStyle(view: HTMLElement): void {
  const root = view.getRootNode()
  if (root instanceof ShadowRoot) useStyle(root, manageStyle)
}

/** A part of the pages for channels and groups. */
export class ManageView extends View {
  override connectedCallback(): void {
    super.connectedCallback()
    useManageStyle(this)
  }
}
