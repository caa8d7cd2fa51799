import type { PropertyValues } from 'lit'

import { Section } from './section.js'

/** A part of a section, in whose status line its notes are shown. */
export class ReportingSection extends Section {
  static override properties = { ...Section.properties, report: { attribute: false } }
  declare report: (note: string) => void

  protected override updated(changed: PropertyValues): void {
    // At first there is nothing to say.
    if (changed.has('note') && changed.get('note') !== undefined) this.report(this.note)
  }
}
