import type { LinkUse } from './inline/token-text.js'

/** HTML that a preview of `link` replaces, if there is one. */
interface ReplaceablePiece {
  readonly link: LinkUse
  readonly html: string
}

/** Marks where the previews of `links` are inserted. */
interface PreviewPiece {
  readonly links: readonly LinkUse[]
}

/** The HTML for the open pieces of an {@link HtmlWriter}. */
export interface PreviewPlan {
  /** Whether the preview of `link` replaces the link itself. */
  replaces(link: LinkUse): boolean
  /** HTML of the preview at `link`; `''` for none. */
  previewOf(link: LinkUse): string
}

/**
 * Collects HTML front to back. Which links get a preview depends on all links of the message, so
 * their places stay open until {@link HtmlWriter.finish}.
 */
export class HtmlWriter {
  private readonly pieces: (string | ReplaceablePiece | PreviewPiece)[] = []
  private pending = ''

  write(html: string): void {
    this.pending += html
  }

  /** Writes `html`, unless a preview of `link` replaces it. */
  writeUnlessReplaced(link: LinkUse, html: string): void {
    this.push({ link, html })
  }

  /** Reserves a place for the previews of `links`. */
  writePreviews(links: readonly LinkUse[]): void {
    if (links.length > 0) this.push({ links })
  }

  /** The whole HTML, with its open places filled in. */
  finish(plan: PreviewPlan): string {
    if (this.pieces.length === 0) return this.pending
    let html = ''
    for (const piece of this.pieces) {
      if (typeof piece === 'string') html += piece
      else if ('link' in piece) html += plan.replaces(piece.link) ? '' : piece.html
      else for (const link of piece.links) html += plan.previewOf(link)
    }
    return html + this.pending
  }

  private push(piece: ReplaceablePiece | PreviewPiece): void {
    if (this.pending !== '') this.pieces.push(this.pending)
    this.pending = ''
    this.pieces.push(piece)
  }
}
