import { UnknownSecretError, type SecretBox } from '../../kernel/secret-box.js'
import type { EventCatalogue } from '../event-catalogue.js'
import type { LogRecord } from './log-entry.js'
import { textRemoved } from './text-changes.js'

/**
 * Encrypts the data of events that contain credentials, such as API keys of bots, in the log in the
 * database.
 */
export class LogSecrets {
  constructor(
    private readonly catalogue: Pick<EventCatalogue, 'find'>,
    private readonly box: () => SecretBox,
  ) {}

  /** The data as they are stored: a text if the events of the kind contain credentials. */
  seal(kind: string, data: unknown): unknown {
    if (this.catalogue.find(kind)?.hasCredentials !== true) return data
    return this.box().seal(JSON.stringify(data))
  }

  /** The record of a stored row. It yields no event if the secret of its data is lost. */
  open<Stored extends LogRecord>(record: Stored): Stored {
    if (typeof record.data !== 'string') return record
    try {
      return { ...record, data: JSON.parse(this.box().open(record.data)) }
    } catch (error) {
      if (!(error instanceof UnknownSecretError)) throw error
      return { ...record, kind: textRemoved.kind, data: {} }
    }
  }
}
