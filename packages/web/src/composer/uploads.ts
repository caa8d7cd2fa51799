import { FileTooLargeError } from '@parley/client'
import { html, nothing, type ReactiveController, type TemplateResult } from 'lit'

import { placeKey, type Place } from '../place.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { icon } from '../view/icons.js'
import { reasonOf } from '../view/reason.js'
import type { View } from '../view/view.js'

interface Upload {
  readonly name: string
  /** Where it was chosen. */
  readonly place: Place
  readonly ending: AbortController
  /** 0 to 1. */
  share: number
}

type Done = (markdown: string, place: Place, session: Session) => void

/** Files on their way to the server. */
export class Uploads implements ReactiveController {
  readonly #view: View
  readonly #done: Done
  readonly #running = new Set<Upload>()
  #problem: { readonly text: string; readonly place: Place } | undefined

  /** @param done gets the Markdown of each file, and where it was chosen. */
  constructor(view: View, done: Done) {
    this.#view = view
    this.#done = done
    view.addController(this)
  }

  /** They go on when another conversation is shown. */
  hostDisconnected(): void {}

  add(files: Iterable<File>, session: Session, place: Place): void {
    this.#problem = undefined
    for (const file of files) void this.#upload(file, session, place)
    this.#view.requestUpdate()
  }

  async #upload(file: File, session: Session, place: Place): Promise<void> {
    const upload: Upload = { name: file.name, place, ending: new AbortController(), share: 0 }
    this.#running.add(upload)
    const { signal } = upload.ending
    try {
      const { url, filename } = await session.client.upload(file, {
        signal,
        onProgress: (share) => {
          upload.share = share
          this.#view.requestUpdate()
        },
      })
      this.#done(`[${filename.replaceAll(/[[\]]/g, '')}](${url})`, place, session)
    } catch (error) {
      if (signal.aborted) return
      const text =
        error instanceof FileTooLargeError
          ? texts.tooLarge(file.name, error.maxMebibytes)
          : `${texts.uploadFailed(file.name)} ${reasonOf(error)}`
      this.#problem = { text, place }
    } finally {
      this.#running.delete(upload)
      this.#view.requestUpdate()
    }
  }

  /** The uploads for a conversation that have not ended yet. */
  render(place: Place): TemplateResult | typeof nothing {
    const isHere = (of: { readonly place: Place }): boolean =>
      placeKey(of.place) === placeKey(place)
    const running = [...this.#running].filter(isHere)
    const problem = this.#problem !== undefined && isHere(this.#problem) ? this.#problem.text : ''
    if (running.length === 0 && problem === '') return nothing
    return html`<div class="uploads">
      ${running.map(
        ({ name, share, ending }) =>
          html`<div class="upload">
            <span>${name}</span>
            <progress aria-label=${texts.uploading(name)} max="1" .value=${share}></progress>
            <button
              class="quiet"
              aria-label=${texts.cancelUpload(name)}
              @click=${() => ending.abort()}
            >
              ${icon('x')}
            </button>
          </div>`,
      )}
      <span class="problem" role="status">${problem}</span>
    </div>`
  }
}
